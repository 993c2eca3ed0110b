# docs/ladder.svg, the shipped levels:  gnuplot docs/ladder.gp
# Level, Elo, half of the 95 % interval against the mean of the six; from data/*.h5 (/levels).
$international << END
1 0 134
2 560 85
3 907 75
4 1286 75
5 1903 111
6 2332 134
END
$classic << END
1 0 84
2 317 74
3 623 68
4 1153 67
5 1788 97
6 2068 106
END
$flying << END
1 0 74
2 339 57
3 589 52
4 969 51
5 1413 68
6 1754 85
END
set terminal svg size 760,420 font "sans,13" background "white"
set output "docs/ladder.svg"
set xtics ("Beginner" 1, "Easy" 2, "Medium" 3, "Hard" 4, "Expert" 5, "Master" 6) nomirror
set ytics nomirror
set grid ytics lc rgb "#dddddd"
set border 3
set xrange [0.6:6.4]
set ylabel "Elo over Beginner (score-logistic)"
set key top left reverse Left
set style data yerrorlines
plot $international using ($1-0.08):2:3 lw 2 pt 7 ps 0.6 lc rgb "#1b5e9e" title "international", \
     $classic using 1:2:3 lw 2 pt 5 ps 0.6 lc rgb "#a8322a" title "classic", \
     $flying using ($1+0.08):2:3 lw 2 pt 9 ps 0.7 lc rgb "#4c7a2d" title "flying"

# docs/ladder.svg, the shipped levels:  gnuplot docs/ladder.gp
# Level, Elo, half of the 95 % interval against the mean of the six; from data/*.h5 (/levels).
$international << END
1 0 144
2 489 112
3 955 97
4 1477 97
5 2132 136
6 2702 178
END
$classic << END
1 0 88
2 282 80
3 580 74
4 1251 74
5 1662 84
6 1951 93
END
$flying << END
1 0 107
2 531 67
3 884 57
4 1320 57
5 1690 68
6 2080 88
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

# docs/ladder.svg, the shipped levels:  gnuplot docs/ladder.gp
# Level, Elo, half of the 95 % interval against the mean of the six; from data/*.h5 (/levels).
$international << END
1 0 140
2 488 107
3 953 90
4 1481 90
5 1986 112
6 2605 171
END
$classic << END
1 0 92
2 282 84
3 579 79
4 1276 79
5 1713 89
6 1982 97
END
$flying << END
1 0 108
2 532 69
3 875 59
4 1335 59
5 1753 72
6 2102 89
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

# docs/ladder.svg, the shipped levels:  gnuplot docs/ladder.gp
# Level, Elo, half of the 95 % interval against the mean of the six; from data/*.h5 (/levels).
$international << END
1 0 152
2 544 114
3 1036 96
4 1648 96
5 2168 117
6 2680 149
END
$classic << END
1 0 119
2 327 111
3 628 107
4 1439 106
5 1915 118
6 2261 128
END
$flying << END
1 0 134
2 637 77
3 1019 66
4 1558 65
5 1911 74
6 2214 85
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

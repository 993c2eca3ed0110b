#!/usr/bin/python3
# How far a score decides the game: python3 docs/plot_shards.py RUN/shards/classic-*.h5 >score.svg
import subprocess, sys
import h5py, numpy
lines = ["set terminal svg", "set xlabel 'score of the side to move, men'", "set ylabel 'mean result'",
         "plot '-' with linespoints notitle"]
columns = [[h5py.File(name)[key][:] for name in sys.argv[1:]] for key in ("score", "result", "side")]
score, result, side = (numpy.concatenate(column).astype(int) for column in columns)
for low in range(-400, 400, 50):
    found = (score >= low) & (score < low + 50)
    lines += [f"{(low + 25) / 100} {(result * (1 - 2 * side))[found].mean()}"] if found.any() else []
subprocess.run(["gnuplot"], input="\n".join(lines) + "\ne\n", text=True, check=True)

"""pairs.py BEFORE AFTER: prints each figure of two runs of baton-bench beside each other."""

import json
import sys


def figures(path):
    with open(path, encoding="utf-8") as lines:
        return {(line["part"], line["figure"]): line for line in map(json.loads, lines)}


def shown(figure):
    return f"{figure['baton']:.3g} {figure['unit']}".strip() if figure else ""


before, after = figures(sys.argv[1]), figures(sys.argv[2])
print("| figure | before | after | after / before | goal | |\n| --- | ---: | ---: | ---: | ---: | --- |")
for key, new in after.items():
    old = before.get(key)
    times = f"{new['baton'] / old['baton']:.2f} ×" if old and old["baton"] else ""
    met = {True: "met", False: "missed", None: ""}[new["met"]]
    print(f"| {key[1]} | {shown(old)} | {shown(new)} | {times} | {new['goal']} | {met} |")

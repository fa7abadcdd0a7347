"""scripts/mutants_living.py FOLDER FILE…: compares the mutants that survive with those that are explained.

A mutant is known by its file, by what cargo-mutants calls it, and by the text of its line: line numbers would go stale.
"""

import re
import sys
from collections import Counter
from pathlib import Path

EXPLAINED = Path("scripts/mutants-explained.txt")
NAMED = re.compile(r"(?P<file>[^:]+):(?P<line>\d+):\d+: (?P<change>.+)")


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def living(folder):
    """(file, change, text of the line) of each mutant that no test saw."""
    for name in lines(folder / "missed.txt"):
        found = NAMED.fullmatch(name)
        text = lines(Path(found["file"]))[int(found["line"]) - 1]
        yield found["file"], found["change"], text.strip()


def explained(files):
    """The same of each that is explained, in these files."""
    blocks = EXPLAINED.read_text().split("\n\n")
    for block in (block for block in blocks if not block.startswith("#")):
        named, at, why = block.strip().split("\n", 2)
        file, change = named.split(": ", 1)
        if not at.startswith("  at: ") or not why.startswith("  why: "):
            sys.exit(f"{EXPLAINED}: not understood:\n{block}")
        if file in files:
            yield file, change, at.removeprefix("  at: ")


def show(title, mutants):
    for file, change, text in mutants.elements():
        print(f"{title}\n{file}: {change}\n  at: {text}\n")


def main():
    folder, files = Path(sys.argv[1]), set(sys.argv[2:])
    lives, known = Counter(living(folder)), Counter(explained(files))
    show("lives, and is not explained:", lives - known)
    show("is explained, and lives no more (or its line has changed):", known - lives)
    caught = len(lines(folder / "caught.txt")) + len(lines(folder / "previously_caught.txt"))
    unviable, slow = len(lines(folder / "unviable.txt")), len(lines(folder / "timeout.txt"))
    print(f"{caught} caught, {slow} took too long, {unviable} do not build, {lives.total()} live")
    if unviable > caught:
        sys.exit(f"more do not build than are caught, so this proves nothing: look into {folder}/log")
    sys.exit(lives != known)


main()

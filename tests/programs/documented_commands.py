"""Commands that the pages print write where git looks away, and name what is there.

    documented_commands.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import re
import subprocess
import sys

from support import SOURCE, parsed_arguments

# Written by these, behind -o; of `convert` and draw.py it is the last word.
WRITING = re.compile(r"^    (?:mpirun -n \d+ )?(?:build/bin/)?(solidyn (?:run|reduce)|scripts/plot)\b(.*)$")


def commands():
    """Page, program and words of each command for a model of ours; continued lines are joined."""
    pages = [SOURCE / "README.md", *sorted(SOURCE.glob("examples/*/README.md")), *sorted(SOURCE.glob("doc/*.md"))]
    for page in pages:
        for line in page.read_text().replace("\\\n", " ").splitlines():
            match = WRITING.match(line)
            if match and ("examples/" in match[2] or match[1] == "scripts/plot"):
                yield page.relative_to(SOURCE), match[1], re.sub(r"\s#.*$", "", match[2]).split()


def main():
    parsed_arguments()
    found = list(commands())
    assert len(found) > 40, found
    places = {}
    for page, program, words in found:
        where = f"{page}: {program} {' '.join(words)}"
        for word in words:
            if word.startswith("examples/") and not word.endswith("/"):
                assert (SOURCE / word).exists(), f"{where}: there is no {word}"
        if program.startswith("solidyn"):
            assert "-o" in words, f"{where}: it has no -o, and so does not run"
        if "-o" in words:
            places[words[words.index("-o") + 1]] = where
    assert len(places) > 40, places
    if not (SOURCE / ".git").exists():
        print("skipped: this is no checkout of git, which would know what is ignored")
        return
    for place, where in places.items():
        ignored = subprocess.run(["git", "-c", "safe.directory=*", "check-ignore", "-q", place], cwd=SOURCE)
        assert ignored.returncode == 0, f"{where}: git does not ignore {place}"
    print(f"{len(places)} places are ignored by git")


if __name__ == "__main__":
    sys.exit(main())

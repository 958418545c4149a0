"""scripts/check_docs, which scripts/lint runs: it is content with the tree, and finds dead links, pages that nothing links, proofs that are no
tests, papers that the bibliography lacks, and pictures that nobody sees or draws.

    pages.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import subprocess
import sys
import tempfile

from support import SOURCE

CHECK = SOURCE / "scripts" / "check_docs"
TREE = {
    "README.md": "[pages](doc/README.md)\n",
    "doc/README.md": "[one](one.md)\n[papers](bibliography.md)\n",
    "doc/bibliography.md": "| cited as | source |\n| --- | --- |\n| P-THING | On things |\n",
    "doc/one.md": "[source](../include/thing.h) by P-THING (3). Proved by `Thing.Works` and `tests/unit/thing`. ![one](images/thing.png)\n",
    "doc/images/thing.png": "pixels",
    "scripts/pictures": '@picture("thing", run=["thing.yaml"])\n',
    "include/thing.h": "/// Proved by Thing.* and Rates.AreRates.\n/// Proved by tests/unit/thing/thing_test.cpp\n",
    "tests/unit/thing/thing_test.cpp": "TEST(Thing, Works) {}\nTEST_P(Rates,\n       AreRates) {}\n",
}


def check(root):
    return subprocess.run([CHECK, "--root", root], capture_output=True, text=True)


def main():
    done = check(SOURCE)
    assert done.returncode == 0, done.stderr
    for name, text, wanted in [
            (None, None, None),
            ("doc/one.md", "[nothing](two.md)\n", "doc/one.md:1: the link to two.md leads nowhere"),
            ("doc/two.md", "text\n", "links two.md 0 times"),
            ("doc/README.md", "[one](one.md)\n[again](one.md)\n[papers](bibliography.md)\n", "links one.md 2 times"),
            ("include/thing.h", "///\n/// Proved by Thing.WorksNot.\n", "include/thing.h:2: there is no test Thing.WorksNot"),
            ("include/thing.h", "/// Proved by Other.*.\n", "there is no test Other.*"),
            ("include/thing.h", "/// Proved by tests/unit/other.\n", "there is no tests/unit/other"),
            ("doc/images/other.png", "pixels", "doc/images/other.png: no page shows it"),
            ("scripts/pictures", "", "doc/images/thing.png: scripts/pictures does not draw it"),
            ("doc/images/thing.png", "pixels" * 10001, "doc/images/thing.png has 60006 bytes"),
            ("include/thing.h", "///\n/// As in P-OTHER (7).\n", "include/thing.h:2: P-OTHER is not in doc/bibliography.md"),
            ("doc/one.md", "After P-THINGS.\n", "doc/one.md:1: P-THINGS is not in doc/bibliography.md"),
            ("doc/bibliography.md", "text\n", "doc/one.md:1: P-THING is not in doc/bibliography.md"),
            ("doc/bibliography.md", "| P-THING | a |\n| P-THING | b |\n", "P-THING has 2 entries")]:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in {**TREE, **({name: text} if name else {})}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            done = check(root)
            assert done.returncode == (1 if name else 0), (name, text, done.stdout, done.stderr)
            assert not name or wanted in done.stderr, (name, text, done.stderr)
    print("pages: dead links, lost pages, proofs that are no tests, unknown papers and stray pictures are found")


if __name__ == "__main__":
    sys.exit(main())

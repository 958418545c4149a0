"""The same mechanism with its rod rigid, modal, a superelement, a full mesh, by one word of the model file, and a beam.

    one_word.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import tempfile

from support import EXAMPLES, History, Program, parsed_arguments, summary

MODEL = EXAMPLES / "one_word" / "one_word.yaml"
TYPES = ("modal", "rigid", "superelement", "corotational")
# m, m/s, N m, N: from `modal`, of ranges of 0.3, 36, 52 and 129; examples/one_word/README.md
BOUNDS = {"rigid": (2e-5, 5e-3, 2.0, 15.0), "superelement": (1e-6, 5e-4, 1.5, 10.0),
          "corotational": (1e-4, 4e-2, 1.5, 10.0), "beam": (1e-4, 4e-2, 1.5, 10.0)}
BEAM = ("{type: beam, points: {big_end: [0, 0, 0], small_end: [0.3, 0, 0]}, elements: 8, section: {type: circle, radius: 0.003}, "
        "material: steel, damping: {rayleigh: {stiffness: 1.0e-5}}, pose: {position: [0.15, 0, 0]}}")
# The first thirtieth of a second of the rod that keeps its nodes.
SHORT = {"corotational": ["--set", "analyses.dynamics.duration=0.03"]}


def main():
    arguments = parsed_arguments()
    with tempfile.TemporaryDirectory() as name:
        histories = {}
        for word in TYPES:
            out = pathlib.Path(name) / word
            Program(arguments).done("run", MODEL, "-o", out, "--set", f"bodies.rod.type={word}",
                                    *SHORT.get(word, []))
            histories[word] = History(out)
            unused = "does not apply to type"  # modes of a rigid rod
            assert all(unused in text for text in summary(out)["warnings"]), word
        out = pathlib.Path(name) / "beam"
        Program(arguments).done("run", MODEL, "-o", out, "--set", "bodies.rod=" + BEAM)
        assert not summary(out)["warnings"]
        histories["beam"] = History(out)
        modal = histories["modal"]
        for word, bounds in BOUNDS.items():
            rows = histories[word].rows
            assert len(rows) >= 31 and histories[word].names == modal.names
            for i, bound in enumerate(bounds, start=1):
                difference = max(abs(a[i] - b[i]) for a, b in zip(rows, modal.rows))
                print(f"{word}, {modal.names[i]}: {difference:.2g} of at most {bound:.2g}")
                assert difference <= bound, (word, modal.names[i], difference)
                assert difference > 0.0, f"{word} is modal"


if __name__ == "__main__":
    main()

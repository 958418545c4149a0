"""scripts/check_casts, which scripts/lint runs: it is content with the tree, and not with a tree that casts to a kind of body, joint or force.

    casts.py --solidyn build/bin/solidyn --mpiexec mpirun
"""
import pathlib
import subprocess
import sys
import tempfile

from support import SOURCE

CHECK = SOURCE / "scripts" / "check_casts"
KINDS = """class Force {};
class PairForce : public Force {};
class ContactForce final : public forces::PairForce {};
"""
FORBIDDEN = {
    "dynamic_cast<const ContactForce&>(force)": "const ContactForce&",
    "static_cast<const contact::ContactForce&>(force)": "const contact::ContactForce&",
    "static_cast<forces::PairForce*>(force)": "forces::PairForce*",
    "dynamic_cast<\n    const Anything *>(thing)": "const Anything *",
    "std::dynamic_pointer_cast<ContactForce>(force)": "ContactForce",
}
ALLOWED = ["dynamic_cast<const base::InputError*>(&error)", "static_cast<const E&>(*this)", "static_cast<int>(force)",
           "0;  // dynamic_cast<ContactForce*>(force)"]


def check(root):
    return subprocess.run([CHECK, "--root", root], capture_output=True, text=True)


def with_source(text):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, content in [("include/solidyn/forces/force.h", KINDS), ("src/analyses/thing.cpp", f"\nauto x = {text};\n")]:
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text(content)
        return check(root)


def main():
    done = check(SOURCE)
    assert done.returncode == 0 and "no source casts" in done.stdout, done.stderr
    for text in ALLOWED:
        done = with_source(text)
        assert done.returncode == 0, (text, done.stderr)
    for text, target in FORBIDDEN.items():
        done = with_source(text)
        assert done.returncode == 1 and f"src/analyses/thing.cpp:2: a cast to {target};" in done.stderr, (text, done.stderr)
    print("casts: what is forbidden is found")


if __name__ == "__main__":
    sys.exit(main())

"""The patches of examples/extend apply to this tree, what they touch compiles with this build's flags, and the pages of
doc/extending show them as they are.

    extend_in_tree.py --commands build/compile_commands.json

A patch is applied to copies of the files that it touches, which the compiler finds before the tree's. Sources are checked without
code generation; what a patch changes in headers alone it names behind `Compile too:`.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

from support import EXAMPLES, SOURCE

PATCHES = sorted((EXAMPLES / "extend").glob("*/in_tree.patch"))
PAGES = SOURCE / "doc" / "extending"
DIFF = re.compile(r"^```diff\n(.*?)^```", re.MULTILINE | re.DOTALL)
MORE = re.compile(r"^Compile too: (.*)$", re.MULTILINE)


def git_apply(patch, folder, *options):
    """In a folder that is no repository, where paths are those of the patch."""
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(["git", "apply", *options, str(patch)], cwd=folder, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, (f"{patch} does not apply:\n{done.stderr}apply it with `git apply --3way`, mend what conflicts, and write it anew "
                                  "with `git diff HEAD -U1`, below the lines that it opens with")
    return done.stdout


def touched_files(patch, folder):
    return [line.split("\t")[2] for line in git_apply(patch, folder, "--numstat").splitlines()]


def patched_copies(patch, folder):
    """@return the files that the patch touches, which `folder` has as it makes them"""
    files = touched_files(patch, folder)
    for name in files:
        if (SOURCE / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((SOURCE / name).read_bytes())
    git_apply(patch, folder)
    return files


def target_of(name):
    """The folder of the build with the objects of the target that a source belongs to."""
    parts = pathlib.PurePosixPath(name).parts
    return "CMakeFiles/solidyn.dir/" if parts[0] == "src" else f"CMakeFiles/{parts[1]}_{parts[2]}.dir/"


class Compiler:
    def __init__(self, commands):
        self.commands = [entry for entry in json.loads(commands.read_text()) if "cmake_pch" not in os.path.basename(entry["file"])]

    def command(self, name):
        """Of the source's target, or of a test like it where the target is new, or this build has none of its kind: the compiler with its options, and where it runs."""
        target = target_of(name)
        like = [c for c in self.commands if target in c["command"]] or [c for c in self.commands if "CMakeFiles/verification_" in c["command"]]
        words = shlex.split(like[0]["command"])
        end = words.index("-o")
        while words and os.path.basename(words[0]) in ("ccache", "env", "cmake"):
            words, end = words[1:], end - 1
        return words[:end], like[0]["directory"]

    def check(self, folder, name):
        """@return what the compiler complains of; empty: nothing"""
        words, directory = self.command(name)
        source = folder / name if (folder / name).exists() else SOURCE / name
        # The patched files stand before the tree's, and what lies beside a source is found there.
        includes = [f"-I{path}" for path in (folder / "include", folder / "src", SOURCE / "src", (SOURCE / name).parent)]
        done = subprocess.run([words[0], *includes, *words[1:], "-fsyntax-only", str(source)], cwd=directory, capture_output=True, text=True, timeout=300)
        return f"{name}:\n{done.stderr}" if done.returncode else ""


def check_pages():
    """Each hunk that a page shows stands in the patch of that page."""
    n = 0
    for patch in PATCHES:
        page = PAGES / f"{patch.parent.name}.md"
        text, hunks = patch.read_text(), DIFF.findall(page.read_text())
        assert hunks, f"{page} shows nothing of {patch}"
        for hunk in hunks:
            assert hunk in text, f"{page} shows what is not in {patch}:\n{hunk}"
        n += len(hunks)
    return n


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--commands", type=pathlib.Path, required=True)
    compiler = Compiler(parser.parse_args().commands)
    assert len(PATCHES) == 5, PATCHES
    n = check_pages()
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = []
        for patch in PATCHES:
            folder = pathlib.Path(name) / patch.parent.name
            folder.mkdir()
            sources = [file for file in patched_copies(patch, folder) if file.endswith(".cpp")]
            sources += [source for line in MORE.findall(patch.read_text()) for source in line.split()]
            checks += [pool.submit(compiler.check, folder, source) for source in sources]
        complaints = [check.result() for check in checks if check.result()]
    assert not complaints, "\n".join(complaints)
    print(f"{len(PATCHES)} patches apply, {len(checks)} sources compile, {n} hunks are shown")


if __name__ == "__main__":
    sys.exit(main())

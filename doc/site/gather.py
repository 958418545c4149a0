#!/usr/bin/env python3
"""Gathers what the book is made of in one folder: the pages as they are, by links, and a page for each room of the C++ library.

    doc/site/gather.py build-doc/pages

Links between pages lead where they do on GitHub, since the folders beside each other are those of the project. What a room holds is said by the table
of doc/architecture.md.
"""
import os
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINKED = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "doc", "examples", "benchmarks", "meshes", "include", "scripts"]
HOW = [ROOT / "doc" / "site" / name for name in ("Doxyfile", "formulas.awk")]  # what else the text of a room depends on
ROW = re.compile(r"^\| `(\w+)` \| (.*) \| (.*) \|$", re.MULTILINE)
OF_NAMESPACE = "```{{doxygennamespace}} solidyn::{room}\n:content-only:\n:members:\n```\n"
OF_PLUGIN = """A plug-in includes one header, in plain C ([forces](../doc/forces.md)):

```{literalinclude} ../include/solidyn/plugin/force.h
:language: c
```
"""


def link(folder):
    for name in LINKED:
        place = folder / name
        if not place.is_symlink():
            place.symlink_to(os.path.relpath(ROOT / name, folder))


def page_of(room, holds, ignores):
    holds = re.sub(r"\]\((?!\w+:)", "](../doc/", holds)
    text = f"# {room}\n\nIt holds {holds}.\n\nIt does not know: {ignores}. A header is `solidyn/{room}/...`.\n\n"
    return text + OF_NAMESPACE.format(room=room)


def write_if_new(path, text, sources=()):
    """An unchanged page of older sources keeps its time, so that Sphinx need not read it again."""
    if not path.exists() or path.read_text() != text or any(source.stat().st_mtime > path.stat().st_mtime for source in sources):
        path.write_text(text)


def write_library(folder):
    rooms = ROW.findall((ROOT / "doc" / "architecture.md").read_text())
    there_are = {path.name for path in (ROOT / "include" / "solidyn").iterdir() if path.is_dir()}
    if {room for room, _, _ in rooms} | {"plugin"} != there_are:
        sys.exit(f"gather.py: error: doc/architecture.md has the rooms {sorted(room for room, _, _ in rooms)}, include/solidyn {sorted(there_are)}")
    folder.mkdir(exist_ok=True)
    for page in folder.glob("*.md"):
        if page.stem not in there_are | {"README"}:
            page.unlink()
    for room, holds, ignores in rooms:
        place = ROOT / "include" / "solidyn" / room
        write_if_new(folder / f"{room}.md", page_of(room, holds, ignores), [place, *place.rglob("*"), *HOW])
    write_if_new(folder / "plugin.md", f"# plugin\n\n{OF_PLUGIN}")
    names = "\n".join([room for room, _, _ in rooms] + ["plugin"])
    write_if_new(folder / "README.md", "# The C++ library\n\nEach room is a namespace `solidyn::<room>`. It uses only rooms above it "
                 f"([architecture](../doc/architecture.md)).\n\n```{{toctree}}\n{names}\n```\n")


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    link(folder)
    write_library(folder / "library")


if __name__ == "__main__":
    main()

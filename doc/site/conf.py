"""The book: Sphinx over the Markdown pages as they are. scripts/doc builds it from the folder that gather.py makes."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(pathlib.Path(__file__).parent))

project = "Solidyn"
author = "The Solidyn developers"
project_copyright = author
version = re.search(r"\bproject\(\s*\w+\s+VERSION\s+([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)

extensions = ["myst_parser", "breathe", "book"]
root_doc = "README"
source_suffix = {".md": "markdown"}
exclude_patterns = ["doc/site", "include", "scripts", "examples/**/out", "**/.solidyn-cache", "**/__pycache__"]
myst_heading_anchors = 4  # the anchors that GitHub gives to headings
highlight_language = "none"  # indented blocks are commands, formulas and messages

breathe_projects = {"solidyn": str(ROOT / "build-doc" / "xml")}
breathe_default_project = "solidyn"

html_theme = "furo"
html_title = f"Solidyn {version}"
html_copy_source = False
html_theme_options = {"navigation_with_keys": True}
html_static_path = ["static"]
html_css_files = ["book.css"]

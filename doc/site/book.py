"""What the pages need beside MyST: parts and chapters, links to folders, anchors, and the first page.

    [door](examples/door/)                        a folder with a README.md: that page
    [client](tests/client)                        any other folder: its name, since a book has no folders
    [file](examples/door/door.yaml)               a file: MyST lets the reader download it
    [key](model_file.md#time_function)            the heading with <a id="time_function"></a>, which MyST knows by its title
"""
import functools
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s#]*)(?:#([^)\s]*))?\)")
MARKED_HEADING = re.compile(r"^#+ <a id=\"(\w+)\"></a>(.*)$", re.MULTILINE)
FIRST_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Solidyn</title>
<meta http-equiv="refresh" content="0; url=README.html"></head><body><a href="README.html">Solidyn</a></body></html>
"""


def name_of(page):
    return "/" + str(page.relative_to(ROOT).with_suffix(""))


def parts():
    """The sections of doc/README.md with the pages that each links: title, names."""
    index = ROOT / "doc" / "README.md"
    for section in re.split(r"^## ", index.read_text(), flags=re.MULTILINE)[1:]:
        targets = [(index.parent / target).resolve() for _, target, _ in LINK.findall(section)]
        yield section.partition("\n")[0], [name_of(target) for target in targets if target.suffix == ".md"]


def toctree(names, caption=""):
    options = ":hidden:\n" + (f":caption: {caption}\n" if caption else "")
    return "\n\n```{toctree}\n" + options + "\n" + "\n".join(names) + "\n```\n"


def table_of_contents():
    """Of the first page; the library stands with what developers read."""
    found = list(parts())
    found[-1][1].insert(1, "/library/README")
    return toctree(["/doc/README"]) + "".join(toctree(names, title) for title, names in found)


def below(page):
    """The pages one folder below, of the page that introduces them."""
    return toctree([name_of(found) for found in sorted(page.parent.glob("*/README.md"))])


@functools.lru_cache(maxsize=None)
def anchors_of(page):
    """Mark of a heading -> its anchor."""
    return {mark: title.strip().lower().replace(" ", "-") for mark, title in MARKED_HEADING.findall(page.read_text())}


def as_in_the_book(page, match):
    text, target, anchor = match.groups()
    if re.match(r"[a-z]+:", target):
        return match.group(0)
    path = (page.parent / target).resolve() if target else page
    if path.is_dir() and not (path / "README.md").exists():
        return text if "`" in text else f"`{text}`"
    if path.is_dir():
        target, path = target.rstrip("/") + "/README.md", path / "README.md"
    if anchor and path.suffix == ".md" and path.exists():
        anchor = anchors_of(path).get(anchor, anchor)
    return f"[{text}]({target}{'#' + anchor if anchor else ''})"


def read_source(app, docname, source):
    page = ROOT / f"{docname}.md"
    if not page.exists():  # of the library
        return
    text = LINK.sub(functools.partial(as_in_the_book, page), source[0])
    if docname == app.config.root_doc:
        text += table_of_contents()
    elif docname in ("examples/README", "benchmarks/RESULTS"):
        text += below(page)
    elif docname == "doc/slider_crank":
        text += toctree(["/meshes/README"])
    source[0] = text


def write_first_page(app, error):
    if error is None and app.builder.format == "html":
        (pathlib.Path(app.outdir) / "index.html").write_text(FIRST_PAGE)


def setup(app):
    app.connect("source-read", read_source)
    app.connect("build-finished", write_first_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

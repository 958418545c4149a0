#!/usr/bin/env python3
"""Makes a C++ source of the viewer's script: embed_script.py SCRIPT SOURCE."""
import pathlib
import sys

LONGEST = 12_000  # compilers need not take longer literals

script, source = map(pathlib.Path, sys.argv[1:])
text = script.read_text(encoding="ascii")
for forbidden in ("</script", "<!--", ')js"'):
    if forbidden in text.lower():
        sys.exit(f"{script} contains {forbidden!r}, which would end what it is embedded in")
pieces = [text[i:i + LONGEST] for i in range(0, len(text), LONGEST)]
source.write_text('#include "report/page.h"\n\n'
                  "const std::string& solidyn::report::viewer_script() {\n"
                  "  static const std::string script = [] {\n    std::string text;\n"
                  + "".join(f'    text += R"js({piece})js";\n' for piece in pieces)
                  + "    return text;\n  }();\n  return script;\n}\n", encoding="ascii")

#include "report/page.h"

#include <fmt/format.h>
#include <openssl/sha.h>

#include "solidyn/base/base64.h"
#include "solidyn/results/output_folder.h"

namespace solidyn::report {
namespace {

constexpr const char* kStyle =
    "body{font:15px/1.4 system-ui,sans-serif;margin:1rem;color:#111;background:#fff}"
    "table{border-collapse:collapse;margin:0 0 1rem}caption{text-align:left;font-weight:600;padding:.2rem 0}"
    "td,th{border:1px solid #bbb;padding:.15rem .5rem;text-align:left}pre{white-space:pre-wrap}"
    // Long tables would be laid out before the script takes their place.
    "@media(scripting:enabled){html:not(.failed) #static{display:none}}"
    "@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}td,th{border-color:#555}}";

std::string in_base64_of_hash(const std::string& script) {
  unsigned char digest[SHA256_DIGEST_LENGTH];
  SHA256(reinterpret_cast<const unsigned char*>(script.data()), script.size(), digest);
  return base::base64(std::string(reinterpret_cast<const char*>(digest), sizeof digest));
}

std::string table_text(const Table& table) {
  std::string text = fmt::format("<table><caption>{}</caption><thead><tr>", escaped(table.title));
  for (const std::string& column : table.columns)
    text += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  text += "</tr></thead><tbody>";
  for (const std::vector<std::string>& row : table.rows) {
    text += "<tr>";
    for (const std::string& cell : row) text += fmt::format("<td>{}</td>", escaped(cell));
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string list_text(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return {};
  std::string text = fmt::format("<h3>{}</h3><ul>", title);
  for (const std::string& line : lines) text += fmt::format("<li>{}</li>", escaped(line));
  return text + "</ul>\n";
}

std::string run_text(const StaticRun& run) {
  std::string text = fmt::format("<section><h2>{}</h2><p>{}: {}</p>\n", escaped(run.name),
                                 escaped(run.title), escaped(run.status));
  if (!run.message.empty())
    text += fmt::format("<pre role=\"alert\">{}</pre>\n", escaped(run.message));
  for (const Table& table : run.tables) text += table_text(table);
  text += list_text("Warnings", run.warnings) + list_text("Notes", run.notes);
  return text + "</section>\n";
}

// JSON in which nothing can end the element that holds it.
std::string within_script(const Json& json) {
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      safe += "\\u003c";
    else
      safe += c;
  }
  return safe;
}

}  // namespace

std::string escaped(const std::string& text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '&':
        safe += "&amp;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string make_page(const std::string& title, const std::vector<StaticRun>& runs,
                      const Json& manifest, const std::string& data, const std::string& script) {
  std::string page = fmt::format(
      "{}<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'sha256-{}'; style-src 'unsafe-inline'; img-src data: blob:; media-src blob:\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title><meta name=\"generator\" content=\"solidyn report 1\"><style>{}</style></head>\n"
      "<body><div id=\"app\"></div>\n<main id=\"static\"><h1>{}</h1>\n",
      results::kReportStart, in_base64_of_hash(script), escaped(title), kStyle, escaped(title));
  for (const StaticRun& run : runs) page += run_text(run);
  page += "</main>\n<script type=\"application/json\" id=\"manifest\">";
  page += within_script(manifest);
  page += "</script>\n<script type=\"application/octet-stream\" id=\"data\">";
  page += base::base64(data);
  page += "</script>\n<script>";
  page += script;
  page += "</script>\n</body></html>\n";
  return page;
}

}  // namespace solidyn::report

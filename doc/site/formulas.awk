# Doxygen reads headers through this filter. Indented lines in comments are formulas and tables, whose columns it would run together; lines stay where they
# are, so that warnings name them rightly. Breathe cannot parse a lambda as a default argument.
function comment(line) { return line ~ /^[ ]*\/\/\/( |$)/ }
function is_indented(line) { return line ~ /^[ ]*\/\/\/   +[^ ]/ }
function is_command(line) { return line ~ /^[ ]*\/\/\/ *(@|- |[0-9]+\. )/ }

function finish(next_is_formula) {
  if (held == "") return
  if (inside && !next_is_formula) { held = held " @endcode"; inside = 0 }
  print substr(held, 2)
  held = ""
}
{
  gsub(/= \[\] \{\}/, "= nothing")
  if (!comment($0)) { finish(0); in_command = 0; print; next }
  if (is_command($0)) in_command = 1
  else if (!is_indented($0)) in_command = 0
  formula = is_indented($0) && !in_command
  line = $0
  if (formula && !inside) {
    if (held != "") held = held " @code{.unparsed}"; else sub(/\/\/\/ /, "/// @code{.unparsed} ", line)
    finish(0)
    inside = 1
  } else {
    finish(formula)
  }
  held = "x" line
}
END { finish(0) }

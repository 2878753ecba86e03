# Completion of kymo for bash. The program finds the words: kymo .complete WORDS.

_kymo() {
  local line=${COMP_LINE:0:COMP_POINT} word words=() found names='' typed head
  # Bash parts words at = and : too. Words of the program are parted by blanks alone.
  for word in "${COMP_WORDS[@]:0:COMP_CWORD+1}"; do
    if [[ $line == [[:blank:]]* || ${#words[@]} -eq 0 ]]; then
      line=${line#"${line%%[![:blank:]]*}"}
      words+=("${word:0:${#line}}")
    else
      words[-1]+=${word:0:${#line}}
    fi
    line=${line:${#word}}
  done
  # Blanks after the last word begin an empty one.
  [[ -z ${COMP_WORDS[COMP_CWORD]} && ${COMP_LINE:0:COMP_POINT} == *[[:blank:]] && -n ${words[-1]} ]] && words+=("")
  # The program takes words without the shell's quotes, and paths without a tilde.
  words=("${words[@]//\\/}")
  words=("${words[@]#[\"\']}")
  typed=${words[-1]}
  words=("${words[@]/#\~\//$HOME/}")
  # Bash replaces the part after the last letter at which it parts words.
  head=${words[-1]%"${words[-1]##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r found; do
    if [[ $found == :* ]]; then
      names=$found
      continue
    fi
    found=${found%%$'\t'*}
    found=${found#"$head"}
    if [[ ${COMP_WORDS[COMP_CWORD]} != [\"\']* ]]; then
      printf -v found %q "$found"
      found=${found//\\,/,}
    fi
    [[ $typed == \~/* ]] && found=\~/${found#"$HOME/"}
    COMPREPLY+=("$found")
  done < <("$1" .complete "${words[@]:1}" 2>/dev/null)
  [[ $names ]] || return 0
  compopt -o filenames
  local kind=-f
  [[ $names == :folders ]] && kind=-d
  while IFS= read -r found; do
    COMPREPLY+=("$found")
  done < <(compgen "$kind" -- "${typed#"$head"}")
}

complete -F _kymo kymo kymograph

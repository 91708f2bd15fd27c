/** Shells that can be told how `harness` goes on. */
export const shells = ["bash", "zsh", "fish"] as const
export type Shell = (typeof shells)[number]

/**
 * The script that a shell reads at its start. It asks `harness complete` for the words, one a line with
 * a tab before what is said of it; the last line says whether names of files fit too. Nothing that was
 * typed is evaluated.
 */
export const scripts: Record<Shell, string> = {
  bash: shell(String.raw`# harness completion for bash
_harness_complete() {
  local words=() word line at prefix typed
  # The shell divides at : and = too: what it divided belongs together.
  for ((at = 1; at <= COMP_CWORD; at++)); do
    word=@{COMP_WORDS[at]}
    if ((@{#words[@]} > 0)) && [[ $word == [:=]* || @{words[@{#words[@]}-1]} == *[:=] ]]; then
      words[@{#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  typed=@{words[@{#words[@]}-1]}
  prefix=@{typed%"@{typed##*[:=]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files | :folders)
        compopt -o filenames 2>/dev/null
        local flag=-f
        [[ $line == :folders ]] && flag=-d
        while IFS= read -r word; do COMPREPLY+=("$word"); done \
          < <(compgen "$flag" -- "@{typed#"$prefix"}")
        ;;
      :none) ;;
      *)
        word=@{line%%$'\t'*}
        COMPREPLY+=("@{word#"$prefix"}")
        ;;
    esac
  done < <(harness complete -- "@{words[@]}" 2>/dev/null)
}
complete -F _harness_complete harness
`),
  zsh: shell(String.raw`#compdef harness
_harness() {
  local -a values
  local line paths=:none value note
  while IFS= read -r line; do
    if [[ $line == :* ]]; then
      paths=$line
    else
      value=@{line%%$'\t'*} note=@{line#*$'\t'}
      values+=("@{value//:/\\:}@{note:+:$note}")
    fi
  done < <(harness complete -- "@{(@)words[2,CURRENT]}" 2>/dev/null)
  case $paths in
    :files) _files ;;
    :folders) _files -/ ;;
    *) _describe 'harness' values ;;
  esac
}
if [ "$funcstack[1]" = _harness ]; then
  _harness "$@"
else
  compdef _harness harness
fi
`),
  fish: shell(String.raw`# harness completion for fish
function __harness_complete
    set -l typed (commandline -ct)
    set -l words (commandline -opc)
    set -e words[1]
    for line in (harness complete -- $words "$typed" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$typed"
            case ':folders'
                __fish_complete_directories "$typed" ''
            case ':none'
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c harness -f -a '(__harness_complete)'
`),
}

/** In these texts `@{` stands for a dollar sign and a brace, which would be ours. */
function shell(text: string): string {
  return text.replaceAll("@{", "${")
}

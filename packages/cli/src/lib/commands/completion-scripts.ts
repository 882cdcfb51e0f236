/**
 * The scripts that make shells ask the program for completions. They read Cobra's protocol. Each word is quoted, because it may be the name of
 * somebody's object: bash and PowerShell insert a word unchanged, zsh and fish quote it themselves.
 */
export const scripts: Readonly<Record<'bash' | 'zsh' | 'fish' | 'powershell', string>> = {
  bash: `# Completion for bash. Load it with: source <(gwpolicy completion bash)
_gwpolicy() {
  local output directive line word
  output=$(gwpolicy __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return
  directive=\${output##*:}
  COMPREPLY=()
  while IFS= read -r line; do
    [[ $line == :* || -z $line ]] && continue
    printf -v word %q "\${line%%$'\\t'*}"
    COMPREPLY+=("$word")
  done <<<"$output"
  if ((directive & 2)); then compopt -o nospace; fi
  if ((directive & 4)); then compopt +o default; fi
}
complete -o default -F _gwpolicy gwpolicy
`,
  zsh: `#compdef gwpolicy
# Completion for zsh. Load it with: source <(gwpolicy completion zsh)
_gwpolicy() {
  local output directive line
  local -a words_found
  output=$(gwpolicy __complete "\${(@)words[2,CURRENT]}" 2>/dev/null) || return
  directive=\${output##*:}
  for line in "\${(@f)output}"; do
    [[ $line == :* || -z $line ]] && continue
    words_found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if ((directive & 2)); then _describe -V completions words_found -S ''
  elif ((\${#words_found})); then _describe -V completions words_found
  fi
  ((directive & 4)) || _files
}
compdef _gwpolicy gwpolicy
`,
  fish: `# Completion for fish. Load it with: gwpolicy completion fish | source
function __gwpolicy_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in (gwpolicy __complete $words[2..] 2>/dev/null)
    string match -q ':*' -- $line; or echo $line
  end
end
complete -c gwpolicy -a '(__gwpolicy_complete)'
`,
  powershell: `# Completion for PowerShell. Load it with: gwpolicy completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName gwpolicy -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($wordToComplete -eq '') { $words += '""' }
  gwpolicy __complete @words 2>$null | Where-Object { $_ -notlike ':*' } | ForEach-Object {
    $word, $description = $_ -split "\\t", 2
    if (-not $description) { $description = $word }
    $text = $word
    if ($word -notmatch '^[\\w./:=+-]+$') {
      $text = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($word) + "'"
    }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $description)
  }
}
`,
};

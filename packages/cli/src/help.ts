/** What `harness --help` prints: written by hand and at hand at once, no parser is loaded for it. */
export const help = `Usage: harness [message] [--folder <folder>] [--model <model>] [--resume <id>]
       harness [options] <command>

Lets a model work on a real project, under your control. Without a command it
opens a conversation in the terminal: harness, or harness "Fix the test".

Commands:
  resume [options] [conv]      go on with a conversation in the terminal
  install [options] <package>  install a package: its name, npm:<spec>, a folder
                               (./path) or a tarball
  uninstall <name>             remove an installed package
  list [options]               list the packages: what ships with harness and
                               what is installed
  run [options] <task>         let the model carry out a task in a folder
  models [options] [provider]  list the models that the installed providers
                               know, with windows and prices
  login [options] <provider>   store a provider's key, typed or piped in
  logout <provider>            remove a provider's stored key
  stats [options]              print what was spent, by day, model or project
  conversations [command]      list, show, export, fork, rename and delete
                               conversations
  audit [options] <conv>       check all that a conversation keeps (<conv>: its
                               id, the beginning of it, or last)
  diff [options] <conv>        print what a conversation did to files
  undo [options] <conv>        take back what a conversation did to files
  redact [options] <conv> <evidence>
                               empty a payload or an output for good
  gc [options]                 free what no conversation needs any more
  trust [options] [folder]     let the .harness/ of a folder count: its
                               configuration and packages
  approvals list [options]     list what you allowed at the gate for a project
  approvals revoke [options] <id>
                               ask about it again
  doctor [options]             print what harness finds on this machine, and
                               whether commands can be contained
  config show [options]        print each value and where it comes from
  completion <shell>           print what lets bash, zsh, fish complete harness
  help <command>               print the options of a command

Options:
  -V, --version                print the version
  -h, --help                   print this help

To begin:
  harness install workspace
  harness
`

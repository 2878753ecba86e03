# Completion of kymo for fish. The program finds the words: kymo .complete WORDS.

function __kymo_complete
    set -l words (commandline -opc)
    # The program takes words without the shell's quotes, and paths without a tilde.
    set -l typed (string unescape -- (commandline -ct) | string collect --allow-empty)
    set -l whole (string replace -r '^~/' "$HOME/" -- $typed | string collect --allow-empty)
    # The part of --flag=value before the value, and the value.
    set -l head (string match -r '^--[^=]*=' -- $typed | string collect --allow-empty)
    set -l value (string replace -r '^--[^=]*=' '' -- $typed | string collect --allow-empty)
    for line in ($words[1] .complete $words[2..-1] $whole 2>/dev/null)
        switch $line
            case :files
                string replace -r -- '^' "$head" (__fish_complete_path $value)
            case :folders
                string replace -r -- '^' "$head" (__fish_complete_directories $value)
            case '*'
                if string match -q '~/*' -- $typed
                    string replace -r "^"(string escape --style=regex -- $HOME)/ '~/' -- $line
                else
                    echo $line
                end
        end
    end
end

complete -c kymo -c kymograph -f -a '(__kymo_complete)'

//! What is printed when the command line itself is wrong: one line, like every other error.

use crate::error::printable;

/// Prints help, version or the error; returns the exit code.
pub(super) fn report(error: &clap::Error) -> u8 {
    if !error.use_stderr() {
        // Nothing can be done about a standard output that is closed.
        let _ = error.print();
        return 0;
    }
    eprintln!("{}", printable(&one_line(&error.to_string())));
    2
}

/// Joins the parts of clap's message that say what is wrong; leaves the usage to `--help`.
fn one_line(message: &str) -> String {
    let mut joined = String::new();
    let lines = message.lines().map(str::trim);
    for line in lines.take_while(|line| !line.starts_with("Usage:")) {
        if line.is_empty() || line.starts_with("For more information") {
            continue;
        }
        let goes_on = joined.is_empty() || joined.ends_with(':') || line.starts_with('[');
        let glue = match (joined.is_empty(), goes_on) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => "; ",
        };
        joined.push_str(glue);
        joined.push_str(line);
    }
    joined + "; --help lists all flags"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_several_lines_becomes_one_without_losing_a_fact() {
        let message = "error: unexpected argument '--sceen' found\n\n  tip: a similar argument \
                       exists: '--scene'\n\nUsage: wavelerp capture --scene <SCENE>\n\nFor more \
                       information, try '--help'.\n";
        assert_eq!(
            one_line(message),
            "error: unexpected argument '--sceen' found; tip: a similar argument exists: \
             '--scene'; --help lists all flags"
        );
        let message = "error: the following required arguments were not provided:\n  --pixel \
                       <X,Y>\n\nUsage: wavelerp probe --pixel <X,Y>\n";
        assert_eq!(
            one_line(message),
            "error: the following required arguments were not provided: --pixel <X,Y>; --help \
             lists all flags"
        );
        let message = "error: invalid value 'x' for '--hazard <HAZARD>'\n  [possible values: a, b]";
        assert_eq!(
            one_line(message),
            "error: invalid value 'x' for '--hazard <HAZARD>' [possible values: a, b]; --help \
             lists all flags"
        );
    }
}

//! Whether a command may install what is missing: the flags `--yes` and `--no-install`. Touches nothing.

use crate::process::Failure;

/// Whether missing packages may be installed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Consent {
    /// Ask on a terminal; without one, as in a script, install.
    Ask,
    /// Install.
    Yes,
    /// Only list what is missing.
    No,
}

impl Consent {
    /// Takes `--yes` and `--no-install` out of a command's arguments; what follows `--` is of another program.
    pub fn take(arguments: &[String]) -> Result<(Self, Vec<String>), Failure> {
        let end = arguments.iter().position(|argument| argument == "--");
        let (own, others) = arguments.split_at(end.unwrap_or(arguments.len()));
        let has = |flag| own.iter().any(|argument| argument == flag);
        let consent = match (has("--yes"), has("--no-install")) {
            (true, true) => return Err(Failure::usage("choose one of --yes and --no-install")),
            (true, false) => Self::Yes,
            (false, true) => Self::No,
            (false, false) => Self::Ask,
        };
        let is_rest = |argument: &&String| !["--yes", "--no-install"].contains(&argument.as_str());
        let rest = own.iter().filter(is_rest).chain(others);
        Ok((consent, rest.cloned().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn consent_is_taken_out_of_the_arguments_before_the_separator() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let take = |line| Consent::take(&words(line));
        assert_eq!(take("--yes --quick"), Ok((Consent::Yes, words("--quick"))));
        assert_eq!(take("--no-install"), Ok((Consent::No, Vec::new())));
        let others = "-- --yes --no-install";
        assert_eq!(take(others), Ok((Consent::Ask, words(others))));
        let both = take("--yes --no-install").map_err(|failure| failure.code);
        assert_eq!(both, Err(2));
    }
}

//! A page's start: the fragment of its address sets what the flags of `run` set.

use std::ffi::OsString;

use super::{Command, parse, run};
use crate::error::{Error, Result};
use crate::viewer::link::flags;
use crate::viewer::start::Start;

fn start_with(flags: &[String]) -> Result<Start> {
    let words = ["wavelerp", "run"].map(str::to_owned).into_iter();
    let words = words.chain(flags.iter().cloned()).map(OsString::from);
    let (cli, matches) = parse(words).map_err(|error| {
        let text = error.to_string();
        let first = text.lines().next().unwrap_or_default();
        Error::usage(first.trim_start_matches("error: ").to_owned())
    })?;
    let given = matches.subcommand().map(|(_, given)| given);
    match &cli.command {
        Command::Run(args) => run::start(args, &cli.common, given),
        _ => Err(Error::usage("a link opens only the window")),
    }
}

/// The window that a link opens. Values that are wrong are left out, each with a notice.
pub(super) fn start(fragment: &str) -> Result<Start> {
    let (mut good, mut notices) = (Vec::new(), Vec::new());
    for flag in flags(fragment) {
        good.push(flag);
        if let Err(error) = start_with(&good) {
            notices.push(format!("the link: {error}"));
            good.pop();
        }
    }
    let mut start = start_with(&good)?;
    start.notices.extend(notices);
    Ok(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_of_a_link_is_named_and_the_rest_holds() {
        let link = "scene=panes&size=640x0&a=wave-lerp&b=nonsense&particles=77&colour=red&time=abc";
        let start = start(link).expect("the rest");
        assert_eq!(start.request.scene.name, "panes");
        assert_eq!(start.request.methods(), ["wave-lerp"]);
        assert_eq!(start.against, None);
        let said = start.notices.join("\n");
        for part in ["640x0", "nonsense", "--colour", "abc"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(start.notices.len(), 4, "{said}");
    }

    #[test]
    fn a_link_of_nothing_opens_the_window_as_always() {
        let start = start("").expect("a window");
        assert!(start.notices.is_empty());
    }
}

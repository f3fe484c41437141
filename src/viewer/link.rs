//! A view as the fragment of a page's address, `scene=temple&a=wave-lerp-deferred`: each pair is a flag of `run`, with
//! `a` for `--methods` and `b` for `--against`. Handles only text.

const SHORT: [(&str, &str); 2] = [("a", "methods"), ("b", "against")];

/// Address of the page without a fragment, if the program runs in one.
pub fn page() -> Option<String> {
    #[cfg(target_arch = "wasm32")]
    return Some(crate::browser::address());
    #[cfg(not(target_arch = "wasm32"))]
    None
}

/// Address that opens the view of a command line.
pub fn of(command: &str) -> String {
    format!("{}#{}", page().unwrap_or_default(), fragment(command))
}

/// Flags of a fragment, one word each: `--scene=temple`. `scene` comes first, because others depend on it.
pub fn flags(fragment: &str) -> Vec<String> {
    let pairs = fragment.split('&').filter(|pair| !pair.is_empty());
    let flag = |pair: &str| {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decoded(name), decoded(value));
        let name = SHORT
            .iter()
            .find(|(short, _)| *short == name)
            .map_or(&*name, |of| of.1);
        match pair.contains('=') {
            true => format!("--{name}={value}"),
            false => format!("--{name}"),
        }
    };
    let mut flags: Vec<String> = pairs.map(flag).collect();
    flags.sort_by_key(|flag| !flag.starts_with("--scene="));
    flags
}

/// The fragment for a command line of `run`.
pub fn fragment(command: &str) -> String {
    let mut pairs: Vec<String> = Vec::new();
    for word in words(command).into_iter().skip(2) {
        match word.strip_prefix("--") {
            Some(flag) => {
                let short = SHORT.iter().find(|(_, name)| *name == flag);
                pairs.push(encoded(short.map_or(flag, |(short, _)| short)));
            }
            None => {
                if let Some(pair) = pairs.last_mut() {
                    *pair += &format!("={}", encoded(&word));
                }
            }
        }
    }
    pairs.join("&")
}

/// Words of a command line that [`crate::paths::quoted`] wrote.
fn words(command: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut letters = command.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\'' => is_quoted = !is_quoted,
            '\\' if !is_quoted => word.extend(letters.next()),
            ' ' if !is_quoted => words.push(std::mem::take(&mut word)),
            _ => word.push(letter),
        }
    }
    words.push(word);
    words
}

fn encoded(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.,:/".contains(&byte);
    text.bytes()
        .map(|byte| match is_plain(byte) {
            true => char::from(byte).to_string(),
            false => format!("%{byte:02X}"),
        })
        .collect()
}

/// Undoes percent-encoding. A percent sign without two digits stands for itself.
fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        let digits = after.get(..2).filter(|_| *first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::paths::quoted;

    #[test]
    fn a_link_gives_back_the_flags_of_the_command_that_it_was_made_of() {
        let name = "it's 50 % & more=less.ron";
        let command = format!(
            "wavelerp run --scene {} --time 1.5 --methods wave-lerp --against pixel-loop --paused",
            quoted(name)
        );
        let link = fragment(&command);
        assert!(
            link.ends_with("&time=1.5&a=wave-lerp&b=pixel-loop&paused"),
            "{link}"
        );
        assert!(!link.contains([' ', '\'', '#']), "{link}");
        let scene = format!("--scene={name}");
        let all = [
            &scene,
            "--time=1.5",
            "--methods=wave-lerp",
            "--against=pixel-loop",
            "--paused",
        ];
        assert_eq!(flags(&link), all);
    }

    #[test]
    fn any_fragment_becomes_flags_and_the_scene_comes_first() {
        assert_eq!(flags(""), [""; 0]);
        assert_eq!(flags("&&size=1x2&scene=two"), ["--scene=two", "--size=1x2"]);
        assert_eq!(flags("a=%zz%4&%"), ["--methods=%zz%4", "--%"]);
        assert_eq!(flags("x=%ff"), ["--x=\u{fffd}"]);
    }
}

//! Finds the shader file and line of an error. A compiler sees only the resolved text and names a place there. Each
//! declaration in that text is copied from one file, token by token.

use super::spirv::Invalid;
use super::variant::Texts;
use crate::error::{Error, printable, repeated};

/// Maximum length of a message in characters. A parser may list many expected tokens.
const LONGEST_MESSAGE: usize = 240;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub module: String,
    /// Counted from 1. `None` if only the file is known.
    pub line: Option<usize>,
    pub text: String,
}

/// Formats the file and, if known, the line: `file.wesl:12`.
impl std::fmt::Display for SourceLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "shaders/{}.wesl", self.module)?;
        self.line.map_or(Ok(()), |line| write!(f, ":{line}"))
    }
}

#[derive(Clone, Debug)]
pub struct ShaderFault {
    /// The variant or pipeline that failed.
    pub what: String,
    pub place: Option<SourceLine>,
    pub message: String,
    /// The compiler's full report, empty if the message is complete.
    pub report: String,
}

impl ShaderFault {
    fn at(place: Option<SourceLine>, what: &str, message: String) -> Box<Self> {
        Box::new(Self {
            what: what.to_owned(),
            place,
            message,
            report: String::new(),
        })
    }

    /// A failure without a known location.
    pub fn nowhere(what: &str, error: &Error) -> Box<Self> {
        Self::at(None, what, error.message.clone())
    }

    /// The failure on one line: `shaders/FILE:12: message: text of the line`. Unknown parts are left out.
    pub fn line(&self) -> String {
        let Some(place) = &self.place else {
            return printable(&format!("shader {}: {}", self.what, self.message));
        };
        let text = match place.text.trim() {
            "" => String::new(),
            text => format!(": {}", repeated(text)),
        };
        printable(&format!("{place}: {}{text}", self.message))
    }

    pub fn error(&self) -> Error {
        let line = match self.place {
            Some(_) => format!("shader {}: {}", self.what, self.line()),
            None => self.line(),
        };
        Error::failed(line).with_report(&self.report)
    }
}

/// A fault in a file, found before compiling.
pub(in crate::gpu) fn of_file(what: &str, module: &str, message: String) -> Box<ShaderFault> {
    ShaderFault::at(Some(whole(module)), what, message)
}

/// Describes a failure to parse or resolve shader files. `files` are the files read.
pub fn of_wesl(what: &str, error: wesl::Error, files: &Texts) -> Box<ShaderFault> {
    let diagnostic = wesl::Diagnostic::from(error);
    let detail = &diagnostic.detail;
    let module = detail
        .module_path
        .as_ref()
        .map(|path| path.components.join("/"));
    let in_file = module.and_then(|module| {
        let source = files.get(&module)?;
        Some(match detail.span {
            Some(span) => place_at(&module, source, span.start),
            None => whole(&module),
        })
    });
    let (message, missing) = words_of(&diagnostic.error);
    let mention = missing.and_then(|word| mention(files, &word));
    ShaderFault::at(mention.or(in_file), what, shortened(message))
}

/// Describes a failure to parse or validate the resolved text `wgsl`, made from `files`.
pub fn of_wgsl(what: &str, invalid: Invalid, wgsl: &str, files: &Texts) -> Box<ShaderFault> {
    let place = invalid.offset.and_then(|at| origin(wgsl, at, files));
    let is_placed = place.is_some();
    let mut fault = ShaderFault::at(place, what, shortened(invalid.message));
    if !is_placed {
        fault.report = invalid.report;
    }
    fault
}

/// The error's message, and the name that it reports as missing, if any.
fn words_of(error: &wesl::Error) -> (String, Option<String>) {
    use wesl::{ImportError, ResolveError};
    let missing = match error {
        wesl::Error::ParseError(error) => return (error.error.to_string(), None),
        wesl::Error::ImportError(ImportError::MissingDecl(_, name)) => Some(name.clone()),
        wesl::Error::ResolveError(ResolveError::ModuleNotFound(path, _))
        | wesl::Error::ImportError(ImportError::ResolveError(ResolveError::ModuleNotFound(
            path,
            _,
        ))) => path.components.last().cloned(),
        _ => None,
    };
    (error.to_string(), missing)
}

fn shortened(message: String) -> String {
    match message.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{} …", &message[..end]),
        None => message,
    }
}

fn whole(module: &str) -> SourceLine {
    SourceLine {
        module: module.to_owned(),
        line: None,
        text: String::new(),
    }
}

fn place_at(module: &str, source: &str, offset: usize) -> SourceLine {
    let before = source.get(..offset).unwrap_or(source);
    let line = before.matches('\n').count();
    SourceLine {
        module: module.to_owned(),
        line: Some(line + 1),
        text: source.lines().nth(line).unwrap_or_default().to_owned(),
    }
}

fn mention(files: &Texts, word: &str) -> Option<SourceLine> {
    files.iter().find_map(|(module, source)| {
        let token = tokens(source)
            .into_iter()
            .find(|token| token.text == word)?;
        Some(place_at(module, source, token.at))
    })
}

/// The place in `files` from which the token at byte `offset` of the resolved text was copied.
fn origin(wgsl: &str, offset: usize, files: &Texts) -> Option<SourceLine> {
    let tokens_here = tokens(wgsl);
    let after = tokens_here.iter().position(|token| token.at > offset);
    let index = after.unwrap_or(tokens_here.len()).checked_sub(1)?;
    let here = declarations(&tokens_here)
        .into_iter()
        .find(|range| range.contains(&index))?;
    let (wanted, index) = (&tokens_here[here.clone()], index - here.start);
    let name = name_of(wanted)?;
    let mut best: Option<(usize, SourceLine)> = None;
    for (module, source) in files {
        let all = tokens(source);
        for range in declarations(&all) {
            let candidate = &all[range];
            if name_of(candidate) != Some(name) {
                continue;
            }
            let (common, at) = aligned(wanted, candidate, index);
            if best.as_ref().is_none_or(|(most, _)| common > *most) {
                best = Some((common, place_at(module, source, candidate[at].at)));
            }
        }
    }
    best.map(|(_, place)| place)
}

/// A token of a shader and its byte offset.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::gpu) struct Token<'a> {
    pub text: &'a str,
    pub at: usize,
}

pub(in crate::gpu) fn tokens(source: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let first = rest.chars().next().unwrap_or(' ');
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if is_word(first) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let text = &rest[..length];
        if !first.is_whitespace() && !text.starts_with("//") && !text.starts_with("/*") {
            tokens.push(Token { text, at });
        }
        at += length;
    }
    tokens
}

/// Length of the block comment at the start of `text`. Comments nest.
fn block_comment(text: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while let Some(mark) = text.as_bytes().get(at..at + 2) {
        match mark {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

fn declarations(tokens: &[Token]) -> Vec<std::ops::Range<usize>> {
    let mut ranges = Vec::new();
    let (mut depth, mut start) = (0i32, 0);
    for (index, token) in tokens.iter().enumerate() {
        match token.text {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 && matches!(token.text, "}" | ";") {
            ranges.push(start..index + 1);
            start = index + 1;
        }
    }
    ranges
}

fn name_of<'a>(declaration: &[Token<'a>]) -> Option<&'a str> {
    const KEYWORDS: [&str; 6] = ["fn", "struct", "const", "override", "alias", "var"];
    let is_keyword = |token: &Token| KEYWORDS.contains(&token.text);
    let mut rest = declaration.iter().skip_while(|token| !is_keyword(token));
    rest.next()?;
    let mut name = rest.next()?;
    if name.text == "<" {
        name = rest.by_ref().skip_while(|token| token.text != ">").nth(1)?;
    }
    Some(name.text)
}

/// Length of the longest common subsequence of two texts, and the token of `there` that corresponds to token `index` of
/// `here`. A token without a match takes the match of an earlier token.
fn aligned(here: &[Token], there: &[Token], index: usize) -> (usize, usize) {
    let width = there.len() + 1;
    // lengths[i * width + j] is the length for here[i..] and there[j..].
    let mut lengths = vec![0u32; (here.len() + 1) * width];
    for i in (0..here.len()).rev() {
        for j in (0..there.len()).rev() {
            lengths[i * width + j] = if here[i].text == there[j].text {
                lengths[(i + 1) * width + j + 1] + 1
            } else {
                lengths[(i + 1) * width + j].max(lengths[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j, mut found) = (0, 0, 0);
    while i <= index && i < here.len() && j < there.len() {
        if here[i].text == there[j].text {
            found = j;
            (i, j) = (i + 1, j + 1);
        } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    (lengths[0] as usize, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "// About.\nimport package::other::{a, b};\n\nconst N: u32 = 0x10u; // ten\n\n\
                        /* a /* nested */ one */\n@if(wide) fn twice(x: u32) -> u32 {\n    return x;\n}\n\
                        @if(!wide) fn twice(x: u32) -> u32 {\n    let y = x\n        + x;\n    \
                        @if(never) { y = 1u; }\n    return y;\n}\n";

    fn files() -> Texts {
        let other = "fn unlike() {}\n".to_owned();
        Texts::from([("m".to_owned(), FILE.to_owned()), ("n".to_owned(), other)])
    }

    /// The file as a resolver prints it, without comments, attributes and line breaks.
    const PRINTED: &str = "const N: u32 = 16u;\nfn twice(x: u32) -> u32 {\n  let y = (x + x);\n  \
                           return y;\n}\n";

    fn line_of(part: &str) -> Option<usize> {
        let offset = PRINTED.find(part).unwrap_or_default();
        origin(PRINTED, offset, &files()).and_then(|place| place.line)
    }

    #[test]
    fn every_part_of_a_printed_text_is_found_in_its_file() {
        assert_eq!(line_of("16u"), Some(4));
        assert_eq!(line_of("twice"), Some(10));
        assert_eq!(line_of("let y"), Some(11));
        assert_eq!(line_of("+ x"), Some(12));
        assert_eq!(line_of("return y"), Some(14));
        // Negative control: a name that no file declares has no place.
        let unknown = "fn thrice() {}";
        assert_eq!(origin(unknown, 4, &files()), None);
    }

    #[test]
    fn a_place_is_named_with_its_line_and_one_without_a_line_by_its_file() {
        let fault = |place| ShaderFault {
            what: "m composite".to_owned(),
            place,
            message: "no such thing".to_owned(),
            report: "at length".to_owned(),
        };
        let offset = FILE.find("+ x").unwrap_or_default();
        let there = fault(Some(place_at("m", FILE, offset)));
        assert_eq!(there.line(), "shaders/m.wesl:12: no such thing: + x;");
        assert_eq!(
            fault(Some(whole("m"))).line(),
            "shaders/m.wesl: no such thing"
        );
        let nowhere = fault(None);
        assert_eq!(nowhere.line(), "shader m composite: no such thing");
        assert!(nowhere.error().message.ends_with("\nat length"));
    }

    #[test]
    fn a_missing_name_is_found_where_it_is_asked_for() {
        let place = mention(&files(), "b");
        assert_eq!(place.and_then(|place| place.line), Some(2));
        assert_eq!(mention(&files(), "nested"), None, "comments do not count");
    }
}

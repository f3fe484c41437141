//! What a shader file may ask of the compilers behind it, checked before they see it. They go down a call for every
//! level of nesting and for every operator of an expression, so that a text can exhaust any stack; and they go over the
//! insides of some nestings twice at every level, so that the time doubles with each. Every bound is several times
//! what the program's own shaders have.

use super::origin::tokens;

/// Most brackets of all kinds that are open at one place.
const MOST_BRACKETS: usize = 40;
/// Most blocks around one place: naga and Mesa take 7 kB of stack for each, and wesl goes over loops twice.
const MOST_BLOCKS: usize = 16;
/// Most lists of type parameters around one place, such as the one of `array<f32, 4>`; naga's time for such a list
/// doubles with each.
const MOST_TEMPLATES: usize = 10;
/// Most operators, and most `else`, that one place may be the operand of.
const MOST_OPERATORS: usize = 256;
/// Most declarations of a file and of all files that a shader is made of: each may name the one before.
pub(super) const MOST_DECLARATIONS: usize = 2_048;

/// Why a text is not given to a compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unfit {
    /// Line, from 1, where it is about one.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
}

/// What is open at a place of a text.
struct Level {
    /// The bracket that opened it.
    bracket: &'static str,
    /// Operators of its expression so far.
    operators: usize,
    /// How often `else` has continued its `if`.
    elses: usize,
}

/// The number of declarations in a text that may be compiled, or why it may not.
pub(super) fn check(text: &str) -> Result<usize, Unfit> {
    let mut scan = Scan {
        open: vec![Level {
            bracket: "",
            operators: 0,
            elses: 0,
        }],
    };
    let all = tokens(text);
    let mut declarations = 0;
    for (index, token) in all.iter().enumerate() {
        let before = index.checked_sub(1).map_or("", |before| all[before].text);
        let after = all.get(index + 1).map_or("", |after| after.text);
        scan.take(before, token.text, after);
        let ends = matches!(token.text, ";" | "}") && scan.open.len() == 1;
        declarations += usize::from(ends);
        let excess = scan.excess().or((declarations > MOST_DECLARATIONS)
            .then(|| format!("this is declaration {declarations} of {MOST_DECLARATIONS} that may be in one shader")));
        if let Some(reason) = excess {
            let line = 1 + text[..token.at].matches('\n').count();
            return Err(Unfit {
                line: Some(line),
                reason,
            });
        }
    }
    Ok(declarations)
}

struct Scan {
    /// The file itself, and every bracket that is open in it.
    open: Vec<Level>,
}

impl Scan {
    fn take(&mut self, before: &str, token: &str, after: &str) {
        match token {
            "(" => self.push("("),
            "[" => self.push("["),
            "{" => {
                self.drop_templates();
                self.innermost().operators = 0;
                self.push("{");
            }
            // A comparison may look like the beginning of type parameters; it ends like this.
            ")" | "]" | "}" => {
                self.drop_templates();
                if self.open.len() > 1 {
                    self.open.pop();
                }
                if token == "}" && after != "else" {
                    self.end_expression();
                }
            }
            ";" => self.end_expression(),
            "," => self.innermost().operators = 0,
            "<" if before.starts_with(|c: char| c.is_alphabetic() || c == '_') && after != "=" => {
                self.push("<")
            }
            ">" if self.innermost().bracket == "<" => drop(self.open.pop()),
            "=" | ":" => {
                self.drop_templates();
                self.count();
            }
            "&" | "|" if after == token => {
                self.drop_templates();
                self.count();
            }
            "else" => self.innermost().elses += 1,
            // That of a number is none.
            "." if before.starts_with(|c: char| c.is_ascii_digit()) => {}
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "!" | "~" | "." | "<" | ">" => {
                self.count();
            }
            _ => {}
        }
    }

    fn innermost(&mut self) -> &mut Level {
        let last = self.open.len() - 1;
        &mut self.open[last]
    }

    fn push(&mut self, bracket: &'static str) {
        self.open.push(Level {
            bracket,
            operators: 0,
            elses: 0,
        });
    }

    fn count(&mut self) {
        self.innermost().operators += 1;
    }

    fn drop_templates(&mut self) {
        while self.innermost().bracket == "<" {
            self.open.pop();
        }
    }

    fn end_expression(&mut self) {
        self.drop_templates();
        let level = self.innermost();
        (level.operators, level.elses) = (0, 0);
    }

    /// What there is too much of, in words.
    fn excess(&self) -> Option<String> {
        let of = |bracket: &str| {
            self.open
                .iter()
                .filter(|level| level.bracket == bracket)
                .count()
        };
        let brackets = self.open.len() - 1;
        let of_level = |level: &Level| level.operators + level.elses;
        let operators: usize = self.open.iter().map(of_level).sum();
        let more = |count: usize, most: usize, what: &str| {
            (count > most).then(|| format!("{count} {what}; at most {most} are compiled"))
        };
        // Counted only where there can be too many.
        let (blocks, templates) = match brackets {
            0..=MOST_TEMPLATES => (0, 0),
            _ => (of("{"), of("<")),
        };
        more(blocks, MOST_BLOCKS, "blocks inside one another")
            .or_else(|| {
                more(
                    templates,
                    MOST_TEMPLATES,
                    "lists of type parameters inside one another",
                )
            })
            .or_else(|| more(brackets, MOST_BRACKETS, "brackets inside one another"))
            .or_else(|| {
                more(
                    operators,
                    MOST_OPERATORS,
                    "operators in one expression or chain of `else`",
                )
            })
    }
}

#[cfg(test)]
mod tests {
    use super::super::shader::{ShaderSource, embedded};
    use super::*;

    fn nested(open: &str, inside: &str, close: &str, count: usize) -> String {
        let body = format!("{}{inside}{}", open.repeat(count), close.repeat(count));
        format!("fn main() {{\n{body}\n}}\n")
    }

    #[test]
    fn what_is_nested_too_deeply_is_named_with_its_line() {
        for (open, inside, close, fits, what) in [
            ("{", "", "}", 15, "blocks"),
            ("if x > 1.0 {", "y = 1.0;", "}", 15, "blocks"),
            ("loop {", "break;", "}", 15, "blocks"),
            ("x = (", "x", ");", 39, "brackets"),
            ("abs(", "x", ")", 39, "brackets"),
            ("a[", "0", "]", 39, "brackets"),
            ("-", "x", "", 256, "operators"),
            ("! ", "x", "", 256, "operators"),
            ("x + ", "x", "", 256, "operators"),
            ("v", "", ".xy", 256, "operators"),
            ("if x {} else ", "{}", "", 256, "operators"),
            ("array<", "f32", ", 2>", 10, "type parameters"),
            ("array /* */ <", "f32", "\n, 2>", 10, "type parameters"),
        ] {
            assert!(check(&nested(open, inside, close, fits)).is_ok(), "{open}");
            let unfit = check(&nested(open, inside, close, fits + 1)).expect_err(open);
            assert!(unfit.reason.contains(what), "{open}: {}", unfit.reason);
            assert!(unfit.line.is_some_and(|line| line > 1));
        }
        let many = "const a = 1;\n".repeat(MOST_DECLARATIONS + 1);
        let unfit = check(&many).expect_err("too many");
        assert_eq!(unfit.line, Some(MOST_DECLARATIONS + 1), "{}", unfit.reason);
    }

    #[test]
    fn what_only_looks_nested_is_no_nesting() {
        for text in [
            "// {{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{\n".to_owned(),
            format!("/* {} */", "(".repeat(1_000)),
            "fn f() { x = a + b * c; if a < b && c < d { y = 1; } }\n".repeat(900),
            format!("const a = array({});", "1.0 + 2.0, ".repeat(2_000)),
            format!("fn f() {{ {} }}", "if a < b { c = a < d; }\n".repeat(500)),
            ")]}".repeat(500),
        ] {
            assert!(check(&text).is_ok(), "{:?}", check(&text));
        }
    }

    #[test]
    fn the_programs_own_shaders_stay_far_from_every_bound() {
        for module in ShaderSource::modules() {
            let text = embedded(&module).expect("it is embedded");
            // Two more blocks, ten more brackets and a hundred more operators would still be taken.
            let brackets = format!("{}x{}", "(".repeat(10), ")".repeat(10));
            let inside = format!("{{ {{ x = {}{brackets}; }} }}", "x + ".repeat(100));
            let text = text.replace("return ", &format!("{inside}return "));
            let declared = check(&text).unwrap_or_else(|unfit| panic!("{module}: {unfit:?}"));
            assert!(declared < MOST_DECLARATIONS / 10, "{module}");
        }
    }
}

//! Which modules a shader file passes on by `@publish import`. wesl follows such imports from file to file until a
//! declaration is found, and without an end where they lead in a circle, so that circles are refused before.

use std::collections::{BTreeMap, BTreeSet};

use super::origin::tokens;

/// For each file that was read, the modules that it passes names on from.
pub(super) type Published = BTreeMap<String, BTreeSet<String>>;

/// The modules that a file passes names on from. A name that is imported may be a module's; both it and the module
/// around it count.
pub(super) fn published(module: &str, text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    if !text.contains("publish") {
        return found;
    }
    let all = tokens(text);
    let words: Vec<&str> = all.iter().map(|token| token.text).collect();
    let mut rest = words.as_slice();
    while let Some(at) = rest.iter().position(|word| *word == "publish") {
        rest = &rest[at + 1..];
        let end = rest
            .iter()
            .position(|word| *word == ";")
            .unwrap_or(rest.len());
        let begin = rest[..end].iter().position(|word| *word == "import");
        if let Some(begin) = begin {
            follow(module, &rest[begin + 1..end], &mut found);
        }
    }
    found
}

/// Goes through what stands behind `import`: `package::a::{b, c::d as e}`.
fn follow(module: &str, words: &[&str], found: &mut BTreeSet<String>) {
    let mut outer: Vec<Vec<String>> = Vec::new();
    let mut path: Vec<String> = Vec::new();
    let mut words = words.iter();
    let mut note = |path: &[String]| {
        for length in [path.len(), path.len().saturating_sub(1)] {
            found.insert(path[..length].join("/"));
        }
    };
    while let Some(&word) = words.next() {
        match word {
            "{" => outer.push(path.clone()),
            "," | "}" => {
                note(&path);
                path = outer.last().cloned().unwrap_or_default();
                if word == "}" {
                    outer.pop();
                }
            }
            "package" => path.clear(),
            // The name that it gets here.
            "as" => drop(words.next()),
            ":" | "@" => {}
            "super" => {
                if path.is_empty() {
                    path = module.split('/').map(str::to_owned).collect();
                }
                path.pop();
            }
            name => path.push(name.to_owned()),
        }
    }
    note(&path);
}

/// Whether names that `module` passes on may come from itself again.
pub(super) fn leads_in_a_circle(all: &Published, module: &str) -> bool {
    let mut seen = BTreeSet::new();
    let mut next = vec![module];
    while let Some(at) = next.pop() {
        for from in all.get(at).into_iter().flatten() {
            if from == module {
                return true;
            }
            if seen.insert(from) {
                next.push(from);
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::shader::{ShaderSource, embedded};
    use super::*;

    fn of(module: &str, text: &str) -> Vec<String> {
        published(module, text)
            .into_iter()
            .filter(|name| !name.is_empty())
            .collect()
    }

    #[test]
    fn what_is_passed_on_is_known_by_its_modules() {
        let text = "import package::q::r;\n@if(x) @publish import package::a::{b, c::d as e};";
        assert_eq!(of("m", text), ["a", "a/b", "a/c", "a/c/d"]);
        assert_eq!(of("m/n", "@publish import super::o::p;"), ["m/o", "m/o/p"]);
        assert_eq!(of("m", "import package::a::b;"), Vec::<String>::new());
    }

    #[test]
    fn circles_are_found_and_the_programs_own_files_have_none() {
        let all = |files: &[(&str, &str)]| -> Published {
            let of =
                |(module, text): &(&str, &str)| ((*module).to_owned(), published(module, text));
            files.iter().map(of).collect()
        };
        let to = |module: &str| format!("@publish import package::{module}::x;");
        let (a, b, c) = (to("a"), to("b"), to("c"));
        assert!(leads_in_a_circle(&all(&[("a", &a)]), "a"));
        let circle = all(&[("a", &b), ("b", &c), ("c", &a)]);
        assert!(leads_in_a_circle(&circle, "a") && leads_in_a_circle(&circle, "c"));
        let line = all(&[("a", &b), ("b", &c), ("d", &b)]);
        assert!(!leads_in_a_circle(&line, "a") && !leads_in_a_circle(&line, "b"));
        let modules = ShaderSource::modules();
        let texts: Vec<_> = modules
            .iter()
            .filter_map(|module| Some((module.as_str(), embedded(module)?)))
            .collect();
        let own = all(&texts);
        assert!(
            own.values().any(|from| !from.is_empty()),
            "some files pass names on"
        );
        assert!(
            modules
                .iter()
                .all(|module| !leads_in_a_circle(&own, module))
        );
    }

    #[test]
    fn a_file_that_passes_on_its_own_names_is_refused_with_the_reason() {
        let text = "@publish import package::facts::{facts, x};\n";
        let source = ShaderSource {
            texts: [("facts".to_owned(), text.to_owned())].into(),
            ..ShaderSource::default()
        };
        let refused = source.resolve(&super::super::shader::Variant::new("facts"), &["x"]);
        let message = refused.err().map(|error| error.message).unwrap_or_default();
        assert!(message.contains("shaders/facts.wesl"), "{message}");
        assert!(message.contains("in a circle"), "{message}");
    }
}

//! README.md and docs/ say what is true: their tables are the program's, their commands parse, and their
//! links, anchors and paths lead somewhere. Reads files; needs no adapter.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use clap::CommandFactory;
use wavelerp::cli;
use wavelerp::cli::Cli;
use wavelerp::model::methods::{Method, TABLE};
use wavelerp::model::options::Options;
use wavelerp::model::passes::Pass;
use wavelerp::model::scene;
use wavelerp::runs::verify::library::table::TABLE as INTRINSICS;
use wavelerp::viewer::keys::KEYS;

use crate::cli::{BINARY, Run};
use crate::harness::{below, entries, name_of, rows, says, usual_passes};

pub const ARCHITECTURE: &str = include_str!("../../docs/architecture.md");
const METHODS: &str = include_str!("../../docs/methods.md");
const PROFILING: &str = include_str!("../../docs/profiling.md");
const SCENES: &str = include_str!("../../docs/scenes.md");

/// Lines around what `cargo xtask docs` writes.
const MARKS: [&str; 2] = ["<!-- generated: begin -->", "<!-- generated: end -->"];
/// Flags in the documents that are of programs other than wavelerp and xtask.
const FOREIGN_FLAGS: &str = "--release --package --workspace --all-targets --in-diff";
/// Programs in the documents whose arguments no test can check.
const FOREIGN_PROGRAMS: &str = "git python3 /usr/bin/python3 qrenderdoc renderdoccmd sha256sum tar";
/// Folders of this repository that a path in the documents begins with.
const FOLDERS: &str = "assets/ benches/ docs/ screenshots/ shaders/ src/ tests/ xtask/";
/// Files that README's commands make, in folders of this repository.
const MADE: &str = "screenshots/local/";

/// The tables that say no more than the program does, and their documents.
#[rustfmt::skip]
fn tables() -> [(&'static str, Vec<String>); 2] {
    let methods = TABLE.iter().map(|it| format!("| `{}` | {} | {} | {} | {} |", it.name, it.mapping, it.cost, it.guarantee, it.origin));
    let keys = KEYS.iter().map(|it| format!("| {} | {} |", it.name, it.help));
    let with = |head: &str, rows: Vec<String>| [vec![head.to_owned()], rows].concat();
    [
        ("docs/methods.md", with("| name | mapping | cost | guarantee | origin |\n|---|---|---|---|---|", methods.collect())),
        ("docs/window.md", with("| key | does |\n|---|---|", keys.collect())),
    ]
}

/// Whether a word begins as one of these, which are parted by blanks.
fn begins(word: &str, starts: &str) -> bool {
    starts.split(' ').any(|start| word.starts_with(start))
}

/// A document with these lines between its marks.
fn with_table(text: &str, lines: &[String]) -> String {
    let (before, rest) = text.split_once(MARKS[0]).expect("the first mark");
    let (_, after) = rest.split_once(MARKS[1]).expect("the second mark");
    let [begin, end] = MARKS;
    format!("{before}{begin}\n\n{}\n\n{end}{after}", lines.join("\n"))
}

#[test]
fn the_generated_tables_are_the_programs() {
    for (name, lines) in tables() {
        let text = read(name);
        let new = with_table(&text, &lines);
        if std::env::var_os("WAVELERP_WRITE_DOCS").is_some() {
            std::fs::write(root().join(name), new).expect("it can be written");
        } else {
            assert!(new == text, "{name} is old: run `cargo xtask docs`");
        }
        assert_ne!(with_table(&text, &lines[1..]), text, "the control");
    }
}

#[test]
fn the_table_of_the_wave_library_has_every_function_in_the_programs_order() {
    let text = read("docs/wave-library.md");
    let rows = text
        .lines()
        .skip_while(|line| !line.starts_with("| HLSL today |"));
    let rows: Vec<&str> = rows
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .collect();
    assert_eq!(rows.len(), INTRINSICS.len());
    for (row, it) in rows.iter().zip(&INTRINSICS) {
        let start = format!(
            "| {} | {} | `{}`, {} | ",
            it.name, it.early, it.function, it.module
        );
        assert!(row.starts_with(&start), "{row}: {start}");
    }
}

#[test]
fn the_readme_counts_the_methods_right() {
    let exact = Method::exact().count();
    // `auto` picks one of the others.
    let ways = format!("{} ways to composite", exact - 1);
    let approximate = format!("{} approximate ones", TABLE.len() - exact);
    for claim in [ways, approximate, format!("explains all {}", TABLE.len())] {
        says(read("README.md"), claim);
    }
}

#[test]
fn every_option_is_explained() {
    let section = METHODS
        .split("## Settings that change how a method runs")
        .nth(1);
    let section = section.and_then(|section| section.split("\n## ").next());
    let section = section.expect("docs/methods.md has the section");
    for option in Options::default().in_words() {
        let flag = format!("`--{}`", option.name.replace(' ', "-"));
        let row = format!("| {flag} | ");
        // What goes without saying changes no method, and is explained where its subject is.
        let words = if option.is_usual { &flag } else { &row };
        assert!(section.contains(words), "docs/methods.md lacks {words}");
    }
}

#[test]
fn every_scene_is_in_the_table_of_scenes() {
    for name in scene::names() {
        let row = format!("| `{name}` | ");
        assert!(SCENES.contains(&row), "docs/scenes.md lacks a row {row}…");
    }
}

#[test]
fn every_field_of_a_scene_file_is_explained() {
    let mut count = 0;
    for path in entries(&root().join("src/model/scene/file")) {
        let text = std::fs::read_to_string(&path).expect("a source can be read");
        let tables = text.split("\npart! {").skip(1);
        for table in tables.chain(text.split("\nranges!(").skip(1)) {
            let end = ["\n}\n", "\n);", "\n});"].map(|end| table.find(end).unwrap_or(table.len()));
            let table = &table[..end[0].min(end[1]).min(end[2])];
            for line in table.lines().skip(1) {
                let line = line.trim();
                let row = line.strip_prefix("pub ").unwrap_or(line);
                let Some((field, _)) = row.split_once(": ") else {
                    continue;
                };
                // What the files of a scene hold stands in no scene file.
                if field.contains("::") || field.starts_with("placed_") || line.starts_with("//") {
                    continue;
                }
                count += 1;
                let words = [format!("`{field}`"), format!(".{field}`")];
                let is_there = words.iter().any(|words| SCENES.contains(words));
                assert!(is_there, "docs/scenes.md lacks `{field}` of {path:?}");
            }
        }
    }
    assert!(count > 90, "only {count} fields were found");
}

#[test]
fn every_pass_is_in_the_table_of_passes() {
    let mut from = 0;
    for pass in Pass::ALL.into_iter().chain([Pass::Ui]) {
        let name = pass.label();
        let row = format!("\n| {name} | ");
        let at = ARCHITECTURE[from..].find(&row);
        from += at.unwrap_or_else(|| {
            panic!("docs/architecture.md lacks the row of {name}, or has it too early")
        });
    }
}

#[test]
fn every_folder_of_sources_is_on_the_map() {
    for folder in ["src", "shaders", "tests", "xtask"] {
        let below = entries(&root().join(folder)).into_iter();
        for path in below.filter(|path| path.is_dir()) {
            let row = format!("`{folder}/{}/`", name_of(&path));
            let is_there = row == "`xtask/src/`" || ARCHITECTURE.contains(&row);
            assert!(is_there, "docs/architecture.md lacks {row}");
        }
    }
}

#[test]
fn the_listed_recording_has_every_pass_in_order() {
    let section = PROFILING.split("### What a recording contains").nth(1);
    let listing = section.and_then(|section| section.split("```text\n").nth(1));
    let listing = listing.and_then(|listing| listing.split("```").next());
    let lines = listing.expect("docs/profiling.md has a listing").lines();
    let groups = lines.filter(|line| !line.starts_with(' ') && !line.starts_with("vk"));
    // Where they are others: record it again, as docs/profiling.md says.
    assert!(groups.eq(usual_passes().map(Pass::label)));
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    let is_short = (60..=90).contains(&lines);
    assert!(is_short, "README.md has {lines} lines; docs/ has room");
}

#[test]
fn every_command_in_the_documents_is_understood() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for document in Document::all() {
        for (line, command) in document.commands() {
            checked += 1;
            if let Err(why) = understood(&command) {
                wrong.push(format!("{}:{line}: `{command}`: {why}", document.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 50, "only {checked} commands were found");
}

#[test]
fn every_flag_in_the_documents_is_one_of_a_program() {
    let mut known: BTreeSet<String> = FOREIGN_FLAGS.split(' ').map(str::to_owned).collect();
    known.extend(flags_of(&Cli::command()));
    known.extend(xtask_flags());
    let mut wrong = Vec::new();
    for document in Document::all() {
        for (line, code) in &document.inline_code {
            for flag in flags_in(code) {
                if !known.contains(flag) {
                    wrong.push(format!("{}:{line}: no program has {flag}", document.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_link_anchor_and_path_in_the_documents_leads_somewhere() {
    let mut checked = 0;
    let mut wrong = Vec::new();
    for document in Document::all() {
        for (line, target) in &document.links {
            checked += 1;
            if let Err(why) = document.follow(target) {
                wrong.push(format!("{}:{line}: ({target}): {why}", document.name));
            }
        }
        for (line, path) in document.paths() {
            checked += 1;
            if !root().join(&path).exists() {
                wrong.push(format!("{}:{line}: there is no {path}", document.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 80, "only {checked} links and paths were found");
}

#[test]
fn every_document_is_linked_from_the_readme() {
    let readme = Document::read("README.md");
    let linked: BTreeSet<&str> = readme.links.iter().map(|(_, link)| link.as_str()).collect();
    for document in Document::all() {
        let name = document.name.as_str();
        let is_linked = name == "README.md" || linked.contains(name);
        assert!(is_linked, "README.md has no link to {name}");
    }
}

/// Files of this repository that a source names: in its comments, and documents anywhere.
fn files_named_in(text: &str) -> Vec<&str> {
    let mut named = Vec::new();
    for line in text.lines() {
        let is_comment = ["//", "#"].iter().any(|mark| line.trim().starts_with(mark));
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && !"-_./".contains(c));
        let words = words.map(|word| word.trim_end_matches('.'));
        named.extend(words.filter(|word| match word.rsplit_once('/') {
            Some(_) if word.starts_with("docs/") => word.ends_with(".md"),
            Some((_, file)) if is_comment => file.contains('.') && begins(word, FOLDERS),
            _ => false,
        }));
    }
    named
}

#[test]
fn files_that_sources_name_exist() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for folder in ["assets", "benches", "shaders", "src", "tests", "xtask"] {
        for file in below(&root().join(folder)) {
            let Ok(text) = std::fs::read_to_string(&file) else {
                continue;
            };
            let named = files_named_in(&text);
            checked += named.len();
            for name in named.iter().filter(|name| !root().join(name).exists()) {
                wrong.push(format!("{}: there is no {name}", file.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(checked > 200, "only {checked} names were found");
}

mod controls {
    use super::*;

    #[test]
    fn planted_faults_in_commands_are_found() {
        let good = "wavelerp
wavelerp --fresh   # a comment
wavelerp help capture
cargo run --release -- verify --methods wave-tree
cargo xtask demo -- --size 640x360
RUST_LOG=info wavelerp list";
        for good in good.lines() {
            assert_eq!(understood(good), Ok(()), "{good}");
        }
        let bad = "
wavelerp capture --scnee temple | --scnee
wavelerp --scnee temple | --scnee
wavelerp captrue | captrue
wavelerp capture --size large | large
wavelerp capture --scene tempel | tempel
wavelerp capture --methods pixel-lop | pixel-lop
wavelerp shader wave-lerp-balot | wave-lerp-balot
cargo run --release -- verify --method wave-tree | --method
cargo xtask tset | tset
cargo xtask test --quik | --quik
cargo xtask demo -- --sise 640x360 | --sise
cargo xtask renderdoc -- captrue | captrue
benches/paris.sh PROGRAM 4 FOLDER | benches/paris.sh
wavelrep list | wavelrep
";
        for [bad, why] in rows(bad) {
            says(understood(bad).expect_err(bad), why);
        }
    }

    #[test]
    fn planted_faults_in_links_are_found() {
        // Its name is put together because another test looks for the documents that sources name.
        let name = ["docs", "planted.md"].join("/");
        let document = Document::parse(&name, "# A `b`, c!\n\n[x](#a-b-c)\n");
        assert_eq!(document.links, [(3, "#a-b-c".to_owned())]);
        let good = "#a-b-c methods.md methods.md#the-table ../README.md https://x.org/y";
        for good in good.split(' ') {
            assert_eq!(document.follow(good), Ok(()), "{good}");
        }
        for bad in "#a-b method.md methods.md#the-tabel README.md ../docs".split(' ') {
            assert!(document.follow(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn files_are_found_in_comments_and_documents_everywhere() {
        let text = "/// See `src/no.rs`, shaders/no.wesl.\n// src/ and NO.rs\nlet a = \"src/no.rs\";\n\
                    let b = \"docs/methods.md\";\n";
        let expected = ["src/no.rs", "shaders/no.wesl", "docs/methods.md"];
        assert_eq!(files_named_in(text), expected);
    }

    #[test]
    fn commands_are_found_in_blocks_and_in_lines() {
        let text = "`wavelerp list` and `wavelerp …`\n\n```sh\nwavelerp verify  # c\n\n# c\ncargo xtask test\n```\n\
                    ```text\nwavelerp nonsense\n```\n```console\n$ wavelerp bench\noutput\n```\n";
        let document = Document::parse("x.md", text);
        let found = document.commands().map(|(_, command)| command);
        let found = found.collect::<Vec<_>>().join("; ");
        let expected = "wavelerp verify  # c; cargo xtask test; wavelerp bench; wavelerp list";
        assert_eq!(found, expected);
    }
}

/// A Markdown file, taken apart as far as the tests need. Numbers are those of lines, from 1.
struct Document {
    /// Its path from the root of the repository.
    name: String,
    /// Lines of blocks of code, each with the block's language.
    code: Vec<(usize, String, String)>,
    /// What stands between backticks in the text.
    inline_code: Vec<(usize, String)>,
    /// Targets of links and pictures.
    links: Vec<(usize, String)>,
    /// Anchors of its headings.
    anchors: BTreeSet<String>,
}

impl Document {
    /// All documents that describe the program as it is. The change log is none of them: what it names may be
    /// gone.
    fn all() -> Vec<Self> {
        let pages = entries(&root().join("docs")).into_iter();
        let pages = pages.map(|path| format!("docs/{}", name_of(&path)));
        let pages: Vec<String> = pages.filter(|name| name.ends_with(".md")).collect();
        assert!(pages.len() >= 10, "docs/ has only {pages:?}");
        let names = ["README.md", "CONTRIBUTING.md"].into_iter();
        let names = names.chain(pages.iter().map(String::as_str));
        names.map(Self::read).collect()
    }

    fn read(name: &str) -> Self {
        Self::parse(name, &read(name))
    }

    fn parse(name: &str, text: &str) -> Self {
        let mut document = Self {
            name: name.to_owned(),
            code: Vec::new(),
            inline_code: Vec::new(),
            links: Vec::new(),
            anchors: BTreeSet::new(),
        };
        let mut language: Option<String> = None;
        // The text without its blocks of code, with as many lines.
        let mut prose = String::new();
        for (number, line) in (1..).zip(text.lines()) {
            match (line.trim_start().strip_prefix("```"), &language) {
                (Some(fence), None) => language = Some(fence.trim().to_owned()),
                (Some(_), Some(_)) => language = None,
                (None, Some(language)) => {
                    let code = (number, language.clone(), line.to_owned());
                    document.code.push(code);
                }
                (None, None) => prose += line,
            }
            prose.push('\n');
        }
        assert!(language.is_none(), "{name}: a block of code does not end");
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        let headings = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
        document.anchors = headings.collect();
        let mut number = 1;
        for (index, part) in prose.split('`').enumerate() {
            if index % 2 == 1 {
                let ends = !part.contains("\n\n");
                assert!(ends, "{name}:{number}: code between backticks does not end");
                let code = (number, part.replace('\n', " "));
                document.inline_code.push(code);
            } else {
                for (at, start) in part.match_indices("](") {
                    let target = part[at + start.len()..].split(')').next();
                    let line = number + part[..at].matches('\n').count();
                    let link = (line, target.unwrap_or_default().to_owned());
                    document.links.push(link);
                }
            }
            number += part.matches('\n').count();
        }
        document
    }

    /// Commands in blocks for a shell, and whole commands in the text; those with an ellipsis are not whole.
    fn commands(&self) -> impl Iterator<Item = (usize, String)> {
        let blocks = self.code.iter().filter_map(|(line, language, code)| {
            let command = match language.as_str() {
                "sh" => Some(code.as_str()),
                "console" => code.strip_prefix("$ "),
                _ => None,
            };
            Some((*line, command?.trim().to_owned()))
        });
        let in_text = self.inline_code.iter().filter(|(_, code)| {
            let is_script = code.starts_with("benches/") && code.contains(".sh");
            let starts = ["wavelerp ", "cargo xtask ", "cargo run "];
            is_script || starts.iter().any(|start| code.starts_with(start))
        });
        blocks
            .chain(in_text.cloned())
            .filter(|(_, command)| !command.is_empty() && !command.starts_with('#'))
            .filter(|(_, command)| !command.contains('…'))
    }

    /// Paths of this repository between backticks, without the line that may follow a file.
    fn paths(&self) -> impl Iterator<Item = (usize, String)> {
        let words = self.inline_code.iter().flat_map(|(line, code)| {
            code.split_whitespace()
                .map(move |word| (*line, word.split(':').next().unwrap_or_default()))
        });
        words
            .filter(|(_, word)| begins(word, FOLDERS) && !word.starts_with(MADE))
            // Words in capitals, and alternatives in braces, stand for what the reader fills in.
            .filter(|(_, word)| !word.contains(['{', '*', '…', '<']))
            .filter(|(_, word)| !word.split(['/', '.']).any(is_placeholder))
            .map(|(line, word)| (line, word.to_owned()))
    }

    /// Whether a link from this document leads to a file, and to a heading of it.
    fn follow(&self, target: &str) -> Result<(), String> {
        // Pages of the repository's host beside its files, from whatever address it has.
        let is_of_host = self.name == "README.md" && target.starts_with("../../");
        if is_of_host || begins(target, "https:// http://") {
            return Ok(());
        }
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = root().join(&self.name).with_file_name(path);
        if !path.is_empty() && !file.is_file() {
            return Err("there is no such file".to_owned());
        }
        let anchors = match (path, anchor) {
            (_, "") => return Ok(()),
            ("", _) => self.anchors.clone(),
            _ => {
                let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
                Self::parse(path, &text).anchors
            }
        };
        let is_there = anchors.contains(anchor).then_some(());
        is_there.ok_or_else(|| format!("no heading has this anchor, only {anchors:?}"))
    }
}

/// What `xtask ARGUMENTS --help` prints, or why it does not understand the arguments. The program is built beside the
/// one under test.
fn xtask_help(arguments: &[&str]) -> Result<String, String> {
    let name = format!("xtask{}", std::env::consts::EXE_SUFFIX);
    let program = Path::new(BINARY).with_file_name(name);
    assert!(program.exists(), "run `cargo build --package xtask`");
    let run = Run::of("", Command::new(program).args(arguments).arg("--help"));
    match run.code {
        0 => Ok(run.stdout),
        _ => Err(run.stderr),
    }
}

/// Long flags of all commands of xtask.
fn xtask_flags() -> BTreeSet<String> {
    let overview = xtask_help(&[]).expect("an overview");
    let (_, commands) = overview.split_once("Commands:\n").expect("commands");
    let lines = commands.lines().map_while(|line| line.strip_prefix("  "));
    // Lines that are indented further go on with the description above them.
    let names = lines.filter_map(|line| line.split(' ').next());
    let names = names.filter(|name| !["", "help"].contains(name));
    let help = names.map(|name| xtask_help(&[name]).expect("help of a command"));
    help.flat_map(|help| flags_in(&help).map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

fn xtask_understands(words: &[&str]) -> Result<(), String> {
    let mut parts = words.splitn(2, |word| *word == "--");
    let own = parts.next().unwrap_or_default();
    let stands_for_another = |why: &String| {
        let mut values = own.iter().filter(|word| is_placeholder(word));
        values.any(|value| why.contains(&format!("invalid value '{value}'")))
    };
    if let Some(why) = xtask_help(own).err().filter(|why| !stands_for_another(why)) {
        return Err(why);
    }
    let Some(passed_on) = parts.next() else {
        return Ok(());
    };
    // `demo` passes flags on to the window, `renderdoc` a whole command line.
    match own {
        ["demo", ..] => wavelerp_understands(&[&["run"], passed_on].concat()),
        ["renderdoc", ..] => wavelerp_understands(passed_on),
        _ => Err(format!("{own:?} passes nothing on")),
    }
}

/// Whether the program that a line names would understand the line.
fn understood(line: &str) -> Result<(), String> {
    let line = line.split(" #").next().unwrap_or_default();
    let words = line.split_whitespace();
    let words: Vec<&str> = words.skip_while(|word| is_assignment(word)).collect();
    match words.as_slice() {
        [] => Ok(()),
        ["cargo", "xtask", rest @ ..] => xtask_understands(rest),
        ["wavelerp", rest @ ..] | ["cargo", "run", "--release", "--", rest @ ..] => {
            wavelerp_understands(rest)
        }
        ["cargo", ..] => Ok(()),
        [program, rest @ ..] if FOREIGN_PROGRAMS.split(' ').any(|of| of == *program) => {
            let scripts = rest.iter().filter(|word| word.ends_with(".py"));
            scripts.copied().try_for_each(exists)
        }
        [program, ..] if program.contains('/') => exists(program),
        [program, ..] => Err(format!("no test knows how to check {program}")),
    }
}

fn exists(path: &str) -> Result<(), String> {
    let is_there = root().join(path).is_file().then_some(());
    is_there.ok_or_else(|| format!("there is no {path}"))
}

/// Whether wavelerp's parser takes the arguments, and knows their scenes and methods.
fn wavelerp_understands(arguments: &[&str]) -> Result<(), String> {
    let words = [&["wavelerp"], arguments].concat();
    let matches = match cli::parse(words.iter().map(OsString::from)) {
        Ok((_, matches)) => matches,
        Err(error) if !error.use_stderr() => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    let (_, given) = matches.subcommand().ok_or("there is no subcommand")?;
    let values = |id: &str| -> Vec<String> {
        let values = given.try_get_many::<String>(id).ok().flatten();
        values.into_iter().flatten().cloned().collect()
    };
    for name in values("methods") {
        if !is_placeholder(&name) {
            Method::meant_by(&name).map_err(|error| error.to_string())?;
        }
    }
    for name in values("scene").into_iter().chain(values("scenes")) {
        let is_file = name.ends_with(".ron") || scene::is_file_alone(&name);
        let is_readers_own = is_file && !name.contains('/');
        let is_known = scene::names().contains(&name.as_str());
        if !(is_known || is_placeholder(&name) || is_readers_own) {
            // A path of this repository.
            exists(&name)?;
        }
    }
    Ok(())
}

/// "NAME": a word in capitals stands for what the reader fills in.
fn is_placeholder(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && word != "README"
}

/// "RUST_LOG=info" in front of a command.
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Long flags of a command and of all its subcommands.
fn flags_of(command: &clap::Command) -> BTreeSet<String> {
    let own = command.get_arguments().filter_map(clap::Arg::get_long);
    let own = own.chain(["help", "version"]);
    let below = command.get_subcommands().flat_map(flags_of);
    own.map(|flag| format!("--{flag}")).chain(below).collect()
}

/// Words of a text that are long flags.
fn flags_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "|[]()=,`".contains(c))
        .filter(|word| word.len() > 2 && word.starts_with("--"))
        .map(|word| word.trim_end_matches(['.', ':', ';']))
}

/// The anchor that GitHub gives a heading.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

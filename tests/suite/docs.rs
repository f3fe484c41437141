//! Checks README.md and docs/: tables match the program, commands parse, and links, anchors and paths resolve. Reads
//! files; needs no adapter.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::CommandFactory;
use sha2::{Digest, Sha256};
use wavelerp::cli;
use wavelerp::cli::Cli;
use wavelerp::gpu::shader::provenance::Provenance;
use wavelerp::model::methods::{Method, TABLE};
use wavelerp::model::options::Options;
use wavelerp::model::passes::Pass;
use wavelerp::model::scene;
use wavelerp::report::bench::file;
use wavelerp::report::bench::record::Record;
use wavelerp::report::page::bench::BenchPage;
use wavelerp::viewer::keys::KEYS;

use crate::cli::{BINARY, Run};
use crate::harness::{entries, name_of, rows, says};

pub const ARCHITECTURE: &str = include_str!("../../docs/architecture.md");
const METHODS: &str = include_str!("../../docs/methods.md");
const SCENES: &str = include_str!("../../docs/scenes.md");

/// Lines before and after text that `cargo xtask docs` generates.
const MARKS: [&str; 2] = ["<!-- generated: begin -->", "<!-- generated: end -->"];
/// Flags in the documents that belong to programs other than wavelerp and xtask.
const FOREIGN_FLAGS: &str = "--release --package --workspace --all-targets --in-diff --enable-unsafe-webgpu \
                             --enable-features --enable-webgpu-developer-features";
/// Programs in the documents whose arguments no test checks.
const FOREIGN_PROGRAMS: &str = "git python3 /usr/bin/python3 qrenderdoc renderdoccmd sha256sum tar";
/// Commands of xtask.
const XTASK: &str = "demo setup renderdoc pictures docs dist web verify-drivers test";
/// Folders of this repository; paths in the documents start with one of them.
const FOLDERS: &str = "assets/ benches/ docs/ screenshots/ shaders/ src/ tests/ xtask/";
/// Files in folders of this repository that README's commands create.
const MADE: &str = "screenshots/local/";

/// Generated tables, each with the document that contains it.
#[rustfmt::skip]
fn tables() -> [(&'static str, Vec<String>); 2] {
    let methods = TABLE.iter().map(|it| format!("| `{}` | {} | {} | {} | {} |", it.name, it.mapping, it.cost, it.guarantee, it.origin));
    let keys = KEYS.iter().map(|it| format!("| {} | {} |", it.name, it.help()));
    let with = |head: &str, rows: Vec<String>| [vec![head.to_owned()], rows].concat();
    [
        ("docs/methods.md", with("| name | mapping | cost | guarantee | origin |\n|---|---|---|---|---|", methods.collect())),
        ("docs/window.md", with("| key | does |\n|---|---|", keys.collect())),
    ]
}

/// True if a word starts with one of the prefixes in `starts`, which are separated by blanks.
fn begins(word: &str, starts: &str) -> bool {
    starts.split(' ').any(|start| word.starts_with(start))
}

/// A document with `lines` between its two marks.
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
            std::fs::write(root().join(name), new).expect("the document is written");
        } else {
            assert!(new == text, "{name} is old: run `cargo xtask docs`");
        }
        assert_ne!(with_table(&text, &lines[1..]), text, "the control");
    }
}

/// Records of `results/` by name, checked as any file of a stranger.
fn results() -> Vec<(String, Record)> {
    let files = entries(&root().join("results")).into_iter();
    let records = files.filter(|path| path.extension().is_some_and(|of| of == "json"));
    let read = |path: PathBuf| {
        let record = file::read(&path).unwrap_or_else(|error| panic!("{error}"));
        (name_of(&path).replace(".json", ""), record)
    };
    let mut all: Vec<(String, Record)> = records.map(read).collect();
    all.sort_by(|one, other| one.0.cmp(&other.0));
    all
}

#[test]
fn the_generated_page_of_results_compares_all_records() {
    let page = root().join("results/index.html");
    let all = results();
    assert!(all.len() > 1, "{} records", all.len());
    let runs = all.iter().map(|(name, record)| (name.clone(), record));
    let mut bytes = Vec::new();
    let written = BenchPage::comparing(runs.collect()).write(&mut bytes);
    written.expect("memory has room");
    if std::env::var_os("WAVELERP_WRITE_DOCS").is_some() {
        std::fs::write(&page, bytes).expect("the page is written");
    } else {
        let is_new = std::fs::read(&page).is_ok_and(|text| text == bytes);
        assert!(is_new, "results/index.html is old: run `cargo xtask docs`");
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
        // Usual options change no method, and are explained elsewhere.
        let words = if option.is_usual { &flag } else { &row };
        assert!(section.contains(words), "docs/methods.md lacks {words}");
    }
}

#[test]
fn every_scene_and_every_pass_has_a_row() {
    for name in scene::names() {
        says(SCENES, format!("\n| `{name}`"));
    }
    for pass in Pass::ALL.into_iter().chain([Pass::Ui]) {
        says(ARCHITECTURE, format!("\n| {}", pass.label()));
    }
}

/// Fails with all faults that `check` finds in the documents.
fn check_all(least: usize, check: impl Fn(&Document) -> Vec<Result<(), String>>) {
    let (mut count, mut wrong) = (0, Vec::new());
    for document in Document::all() {
        let results = check(&document);
        count += results.len();
        let faults = results.into_iter().filter_map(Result::err);
        wrong.extend(faults.map(|why| format!("{}: {why}", document.name)));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > least, "only {count} were found");
}

#[test]
fn every_command_in_the_documents_is_understood() {
    check_all(50, |document| {
        let commands = document.commands();
        let checked = commands
            .map(|command| understood(command).map_err(|why| format!("`{command}`: {why}")));
        checked.collect()
    });
}

#[test]
fn every_flag_in_the_documents_is_one_of_a_program() {
    let mut known = flags_of(&Cli::command());
    known.extend(FOREIGN_FLAGS.split(' ').map(str::to_owned));
    for command in XTASK.split(' ') {
        let help = xtask_help(&[command]).expect("its help");
        known.extend(flags_in(&help).map(str::to_owned));
    }
    check_all(50, |document| {
        let flags = document.inline_code.iter().flat_map(|code| flags_in(code));
        let is_known = |flag: &str| known.contains(flag).then_some(());
        let checked = flags.map(|flag| is_known(flag).ok_or(format!("no program has {flag}")));
        checked.collect()
    });
}

#[test]
fn every_link_anchor_and_path_in_the_documents_leads_somewhere() {
    check_all(80, |document| {
        let links = document.links.iter().map(|target| document.follow(target));
        links.chain(document.paths().map(exists)).collect()
    });
}

#[test]
fn planted_faults_in_commands_and_links_are_found() {
    let bad = "
wavelerp capture --scnee temple | --scnee
wavelerp captrue | captrue
wavelerp capture --scene tempel | tempel
wavelerp capture --methods pixel-lop | pixel-lop
cargo xtask tset | tset
cargo xtask demo -- --sise 640x360 | --sise
benches/paris.sh PROGRAM 4 FOLDER | benches/paris.sh
";
    for [bad, why] in rows(bad) {
        says(understood(bad).expect_err(bad), why);
    }
    // The name is assembled because another test looks for document names in sources.
    let name = ["docs", "planted.md"].join("/");
    let text = "# A `b`, c!\n\n[x](#a-b-c)\n\n```sh\nwavelerp list # c\n```\n";
    let document = Document::parse(&name, text);
    assert_eq!(document.links, ["#a-b-c"]);
    assert!(document.commands().eq(["wavelerp list # c"]));
    for good in ["#a-b-c", "methods.md#the-table", "../README.md"] {
        assert_eq!(document.follow(good), Ok(()), "{good}");
    }
    for bad in ["#a-b", "method.md", "methods.md#the-tabel", "README.md"] {
        assert!(document.follow(bad).is_err(), "{bad}");
    }
}

#[test]
fn every_measured_table_is_of_todays_shaders_or_says_that_it_is_older() {
    let today = [Provenance::default().digest, scenes_digest()];
    let today = [today[0].as_str(), today[1].as_str()];
    let (mut count, mut all_wrong) = (0, Vec::new());
    for name in MEASURED {
        let found = ages(&read(name), today);
        count += found.len();
        let wrong = found.into_iter().filter_map(Result::err);
        all_wrong.extend(wrong.map(|wrong| format!("{name}: {wrong}")));
    }
    assert!(
        all_wrong.is_empty(),
        "{all_wrong:#?}; today's are {today:?}"
    );
    assert!(count > 15, "only {count} sections have tables of numbers");
    let verdict = |head: &str, section: &str| {
        let text = format!("# T\n{head}\n## S\n{section}\n| a |\n|---:|\n| 1 |\n");
        ages(&text, ["aa", "bb"]) == [Ok(())]
    };
    let (own, old) = (
        "by shaders `aa` and scenes `bb`",
        "of older shaders (2026-11-25)",
    );
    for (head, section) in [("", own), (own, ""), (old, ""), ("", old), (old, own)] {
        assert!(verdict(head, section), "{head:?} {section:?}");
    }
    // Faults: no age at all, other shaders or scenes, an old table without a date, or a section older than its document
    // claims.
    let (other, scene) = (own.replace("aa", "ab"), own.replace("bb", "bc"));
    for (head, section) in [
        ("", ""),
        ("", &*other),
        (&*scene, ""),
        ("", "older shaders (long ago)"),
        (own, &*other),
    ] {
        assert!(!verdict(head, section), "{head:?} {section:?}");
    }
}

#[test]
fn every_command_of_the_recording_is_understood() {
    let script = read("benches/record_all.py");
    let steps = script
        .split("STEPS = [")
        .nth(1)
        .and_then(|rest| rest.split("\n]").next());
    let value = |name: &str| {
        let line = script
            .lines()
            .find_map(|line| line.strip_prefix(&format!("{name} = \"")));
        line.unwrap_or_default().trim_end_matches('"').to_owned()
    };
    let names = ["FLAT", "FEW", "MAP", "TILES"];
    let commands = steps.expect("its table").lines().filter_map(|line| {
        let command = line.split('"').nth(3)?.to_owned();
        let fill =
            |command: String, name: &&str| command.replace(&format!("{{{name}}}"), &value(name));
        Some(names.iter().fold(command, fill))
    });
    let commands: Vec<String> = commands.collect();
    assert!(commands.len() > 15, "{commands:?}");
    for command in commands {
        assert_eq!(
            understood(&format!("wavelerp {command}")),
            Ok(()),
            "{command}"
        );
    }
}

/// Digest of the scenes, as in `benches/record_all.py`.
fn scenes_digest() -> String {
    let mut hasher = Sha256::new();
    for path in entries(&root().join("assets/scenes")) {
        let data = std::fs::read(&path).expect("a scene");
        hasher.update(format!("{} {}\n", name_of(&path), data.len()));
        hasher.update(data);
    }
    let hash = hasher.finalize();
    hash.iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

/// Documents with tables of measured results.
const MEASURED: [&str; 4] = [
    "README.md",
    "docs/oit.md",
    "docs/results.md",
    "docs/capture.md",
];

/// Faults in the stated age of a document's measured tables. Below the title, or in the section of each table, the
/// document must name the shaders and scenes of the recording. These must be today's; otherwise the document must state
/// that they are older, with a date.
fn ages(text: &str, [shaders, scenes]: [&str; 2]) -> Vec<Result<(), String>> {
    let mut parts = text.split("\n## ");
    let head = parts.next().unwrap_or_default();
    // All texts between two delimiters.
    let between = |text: &str, [begin, end]: [&str; 2]| -> Vec<String> {
        let found = text.split(begin).skip(1);
        let found = found.filter_map(|rest| Some(rest.split_once(end)?.0.to_owned()));
        found.collect()
    };
    let of_part = |part: &str| {
        let marks = |text: &str| {
            let todays = [("by shaders `", shaders), ("and scenes `", scenes)];
            let todays = todays.map(|(begin, digest)| {
                let found = between(text, [begin, "`"]).into_iter();
                found.map(move |of| (of == digest).then_some(()).ok_or(of))
            });
            let older = between(text, ["older shaders (", ")"]).into_iter();
            let older = older.map(|of| of.contains("2026-").then_some(()).ok_or(of));
            todays
                .into_iter()
                .flatten()
                .chain(older)
                .collect::<Vec<_>>()
        };
        let own = marks(part);
        let marks = if own.is_empty() { marks(head) } else { own };
        if marks.is_empty() {
            return Err("a table does not name its shaders".to_owned());
        }
        let wrong = marks.into_iter().find_map(Result::err);
        wrong.map_or(Ok(()), |of| {
            Err(format!(
                "a table was recorded with {of}: record it again, or mark it \"of older shaders (DATE)\""
            ))
        })
    };
    let parts = [head].into_iter().chain(parts);
    let with_numbers = parts.filter(|part| {
        part.lines()
            .any(|line| line.starts_with('|') && line.contains("---:"))
    });
    with_numbers.map(of_part).collect()
}

/// The parts of a Markdown file that the tests need.
#[derive(Default)]
struct Document {
    /// Path from the root of the repository.
    name: String,
    /// Lines of shell code blocks.
    code: Vec<String>,
    /// Text between backticks.
    inline_code: Vec<String>,
    /// Targets of links and pictures.
    links: Vec<String>,
    /// Anchors of its headings.
    anchors: BTreeSet<String>,
}

impl Document {
    /// All documents that describe the current program. The change log is left out, because it may name removed
    /// things.
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
            ..Self::default()
        };
        let mut language: Option<&str> = None;
        // The text without its code blocks.
        let mut prose = String::new();
        for line in text.lines() {
            match (line.trim_start().strip_prefix("```"), language) {
                (Some(fence), None) => language = Some(fence.trim()),
                (Some(_), Some(_)) => language = None,
                (None, Some("sh")) => document.code.push(line.trim().to_owned()),
                (None, Some("console")) => {
                    let command = line.strip_prefix("$ ");
                    document.code.extend(command.map(str::to_owned));
                }
                (None, Some(_)) => {}
                (None, None) => prose += &format!("{line}\n"),
            }
        }
        let headings = prose.lines().filter(|line| line.starts_with('#'));
        let headings = headings.map(|line| anchor(line.trim_start_matches('#').trim()));
        document.anchors = headings.collect();
        for (index, part) in prose.split('`').enumerate() {
            if index % 2 == 1 {
                assert!(!part.contains("\n\n"), "{name}: `{part}` does not end");
                document.inline_code.push(part.replace('\n', " "));
            } else {
                let targets = part.split("](").skip(1);
                let targets = targets.filter_map(|rest| rest.split(')').next());
                document.links.extend(targets.map(str::to_owned));
            }
        }
        document
    }

    /// Commands in shell blocks, and complete commands in the text; those with an ellipsis are incomplete.
    fn commands(&self) -> impl Iterator<Item = &str> {
        let in_text = self.inline_code.iter();
        let in_text = in_text.filter(|code| {
            ["wavelerp ", "cargo xtask ", "cargo run "]
                .iter()
                .any(|of| code.starts_with(of))
        });
        let all = self.code.iter().chain(in_text).map(String::as_str);
        all.filter(|code| !(code.is_empty() || code.starts_with('#') || code.contains('…')))
    }

    /// Paths of this repository in backticks, without line numbers.
    fn paths(&self) -> impl Iterator<Item = &str> {
        let words = self
            .inline_code
            .iter()
            .flat_map(|code| code.split_whitespace());
        words
            .filter_map(|word| word.split(':').next())
            .filter(|word| begins(word, FOLDERS) && !word.starts_with(MADE))
            // Words in capitals, and alternatives in braces, are placeholders.
            .filter(|word| !word.contains(['{', '*', '…', '<']))
            .filter(|word| !word.split(['/', '.']).any(is_placeholder))
    }

    /// Checks that a link from this document leads to a file, and to a heading in it.
    fn follow(&self, target: &str) -> Result<(), String> {
        // These are pages of the site that hosts the repository, whatever its address.
        let is_of_host = self.name == "README.md" && target.starts_with("../../");
        if is_of_host || begins(target, "https:// http://") {
            return Ok(());
        }
        let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
        let file = root().join(&self.name).with_file_name(path);
        if !path.is_empty() && !file.is_file() {
            return Err(format!("({target}): there is no such file"));
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
        is_there.ok_or_else(|| format!("({target}): no heading has this anchor"))
    }
}

/// Output of `xtask ARGUMENTS --help`, or the reason why the arguments are invalid. xtask is built into the same
/// folder as the program under test.
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
    // `demo` passes flags to the window, `renderdoc` a whole command line.
    match own {
        ["demo", ..] => wavelerp_understands(&[&["run"], passed_on].concat()),
        ["renderdoc", ..] => wavelerp_understands(passed_on),
        _ => Err(format!("{own:?} passes nothing on")),
    }
}

/// Checks that a command line would be accepted by its program.
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
        [program, ..] => exists(program),
    }
}

fn exists(path: &str) -> Result<(), String> {
    let is_there = root().join(path).exists().then_some(());
    is_there.ok_or_else(|| format!("there is no {path}"))
}

/// Checks that wavelerp's parser accepts the arguments, and that the scenes and methods in them exist.
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
    for name in values("methods")
        .iter()
        .filter(|name| !is_placeholder(name))
    {
        Method::meant_by(name).map_err(|error| error.to_string())?;
    }
    for name in values("scene").into_iter().chain(values("scenes")) {
        let is_file = name.ends_with(".ron") || scene::is_file_alone(&name);
        let is_readers_own = is_file && !name.contains('/');
        let is_known = scene::names().contains(&name.as_str());
        if !(is_known || is_placeholder(&name) || is_readers_own) {
            exists(&name)?;
        }
    }
    Ok(())
}

/// True for a word in capitals, such as "NAME".
fn is_placeholder(word: &str) -> bool {
    word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && word != "README"
}

/// True for an assignment in front of a command, such as "RUST_LOG=info".
fn is_assignment(word: &str) -> bool {
    let name = word.split_once('=').map(|(name, _)| name);
    name.is_some_and(|name| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// Long flags of a command and all its subcommands.
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

/// GitHub's anchor for a heading.
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

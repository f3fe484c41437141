//! Shaders are WESL modules with imports and variants. They are embedded in the binary, can be overridden from a
//! folder, and are resolved to one WGSL text per variant.
//!
//! The window reads its folder once, and again when a file changes (`folder.rs`, `watch.rs`). A source with `texts` is
//! frozen, so pipelines made from it always have the same files.
//!
//! A variant is a module name, constants (in module `package::variant`) and features (for `@if(feature)`). Constants
//! are part of the text, so wgpu's pipelines and pipelines with patched SPIR-V share one text.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;

use include_dir::{Dir, include_dir};
use wesl::syntax::{GlobalDeclaration, Spanned};
use wesl::{CompileOptions, Features, ManglerKind, ModulePath, Resolver, Wesl};

use super::compilers::on_deep_stack;
use super::error_location;
use super::error_location::ShaderFault;
use super::variant::{Hashes, Texts, Variant};
use crate::error::{Error, Result};
use crate::input;

static EMBEDDED: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/shaders");

#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// As in [`Variant::module`].
    pub module: &'static str,
    /// Text to replace. The file must contain it.
    pub find: &'static str,
    pub replace: &'static str,
}

impl Edit {
    pub const fn new(module: &'static str, find: &'static str, replace: &'static str) -> Self {
        Self {
            module,
            find,
            replace,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct ShaderSource {
    /// Folder with files that override the embedded ones.
    pub folder: Option<PathBuf>,
    /// Faults planted by tests.
    pub edits: Vec<Edit>,
    /// Texts that were read earlier. They override all other texts.
    pub texts: Texts,
    /// Hashes of texts that failed. The embedded file is used until the text changes.
    pub set_aside: Hashes,
}

/// Prefix of a text in [`ShaderSource::texts`] that could not be read. The reason follows.
pub(in crate::gpu) const UNREADABLE: &str = "\u{fffd}unreadable: ";

pub fn hash_of(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Converts line ends to those of the embedded files. Windows editors and version control write two characters, which
/// must not make a shader different.
pub fn plain_lines(text: String) -> String {
    if text.contains("\r\n") {
        return text.replace("\r\n", "\n");
    }
    text
}

pub fn embedded(module: &str) -> Option<&'static str> {
    EMBEDDED
        .get_file(format!("{module}.wesl"))
        .and_then(|file| file.contents_utf8())
}

impl ShaderSource {
    /// Text of a file: read earlier, from the folder, or embedded, in this order.
    ///
    /// # Errors
    /// The file does not exist or is unreadable, or an edit no longer applies.
    pub fn file(&self, module: &str) -> Result<String> {
        let name = format!("{module}.wesl");
        let on_disk = self.folder.as_ref().map(|folder| folder.join(&name));
        let mut text = match (self.text(module), on_disk) {
            (Some(text), _) => match text.strip_prefix(UNREADABLE) {
                Some(why) => return Err(Error::usage(format!("cannot read it: {why}"))),
                None => text.to_owned(),
            },
            (None, Some(path)) if path.exists() => input::text(&path, input::SHADER)
                .map(plain_lines)
                .map_err(|why| Error::usage(format!("cannot read {}: {why}", path.display())))?,
            _ => embedded(module)
                .ok_or_else(|| Error::failed(format!("there is no shader {name}")))?
                .to_owned(),
        };
        for edit in self.edits.iter().filter(|edit| edit.module == module) {
            if !text.contains(edit.find) {
                return Err(Error::failed(format!(
                    "the fault cannot be planted: shaders/{name} does not contain `{}`",
                    edit.find
                )));
            }
            text = text.replace(edit.find, edit.replace);
        }
        Ok(text)
    }

    /// True if the file was not read earlier, and is neither in the folder nor embedded.
    fn is_missing(&self, module: &str) -> bool {
        let in_folder = |folder: &PathBuf| folder.join(format!("{module}.wesl")).exists();
        let on_disk = self.folder.as_ref().is_some_and(in_folder);
        self.text(module).is_none() && !on_disk && embedded(module).is_none()
    }

    fn text(&self, module: &str) -> Option<&str> {
        let text = self.texts.get(module)?;
        let aside = self.set_aside.get(module);
        aside
            .is_none_or(|hash| *hash != hash_of(text))
            .then_some(text)
    }

    /// True if a text that was read earlier differs from the embedded one.
    pub fn differs(&self, module: &str) -> bool {
        let texts = self.text(module).zip(embedded(module));
        texts.is_some_and(|(text, embedded)| text != embedded)
    }

    /// Uses the embedded file until the text that was read earlier changes.
    pub fn put_aside(&mut self, module: &str) {
        if let Some(text) = self.texts.get(module) {
            self.set_aside.insert(module.to_owned(), hash_of(text));
        }
    }

    /// The same source with all edited texts set aside. `None` if no text is edited.
    pub fn embedded(&self) -> Option<Self> {
        let mut embedded = self.clone();
        for module in self.texts.keys().filter(|module| self.differs(module)) {
            embedded.put_aside(module);
        }
        (embedded.set_aside != self.set_aside).then_some(embedded)
    }

    pub fn hash(&self, module: &str) -> Option<u64> {
        self.file(module).ok().map(|text| hash_of(&text))
    }

    /// WGSL of a variant. Imports are resolved, and declarations that `entries` do not use are removed. `entries` are
    /// names of entry points or other declarations of the module.
    ///
    /// # Errors
    /// The module or an import does not parse or resolve. The error names the variant.
    pub fn resolve(&self, variant: &Variant, entries: &[&str]) -> Result<String> {
        let (_, wgsl) = self.resolve_traced(variant, entries);
        wgsl.map_err(|fault| fault.error())
    }

    /// Like [`ShaderSource::resolve`], and also returns the files that were read.
    pub fn resolve_traced(
        &self,
        variant: &Variant,
        entries: &[&str],
    ) -> (Texts, Result<String, Box<ShaderFault>>) {
        on_deep_stack(|| {
            let read = RefCell::default();
            let wgsl = self.compile(variant, entries, &read);
            let Read { files, unfit, .. } = read.into_inner();
            let what = variant.key();
            let wgsl = wgsl.map_err(|error| match unfit {
                Some((module, reason)) => error_location::of_file(&what, &module, reason),
                None => error_location::of_wesl(&what, *error, &files),
            });
            (files, wgsl)
        })
    }

    fn compile(
        &self,
        variant: &Variant,
        entries: &[&str],
        read: &RefCell<Read>,
    ) -> Result<String, Box<wesl::Error>> {
        let resolver = ModuleResolver {
            source: self,
            constants: variant.constants_module(),
            read,
        };
        let mut compiler = Wesl::new_barebones().set_custom_resolver(resolver);
        let mut features = Features::default();
        for feature in &variant.features {
            features
                .flags
                .insert(feature.name().to_owned(), wesl::Feature::Enable);
        }
        features.default = wesl::Feature::Disable;
        compiler
            .set_options(CompileOptions {
                validate: false,
                features,
                keep: Some(entries.iter().map(|entry| (*entry).to_owned()).collect()),
                ..CompileOptions::default()
            })
            .use_sourcemap(true)
            .set_mangler(ManglerKind::None);
        let path: ModulePath = format!("package::{}", variant.module.replace('/', "::"))
            .parse()
            .map_err(|error| wesl::Error::Custom(format!("shader path: {error}")))?;
        let mut compiled = compiler.compile(&path).map_err(Box::new)?;
        // wesl follows the imports of several entry points in an unstable order.
        if entries.len() > 1 {
            let read = read.borrow();
            let place_of = |declaration: &Spanned<GlobalDeclaration>| {
                let (span, name) = (declaration.span(), name_of(declaration));
                let word = name.as_deref().unwrap_or_default();
                let is_in = |text: &String| {
                    let part = text.get(span.start..span.end);
                    part.is_some_and(|part| part.contains(word))
                };
                (read.files.values().position(is_in), span.start, name)
            };
            let declarations = &mut compiled.syntax.global_declarations;
            declarations.sort_by_cached_key(place_of);
        }
        Ok(compiled.to_string())
    }

    /// Sorted paths of all embedded shader files, without extension.
    pub fn modules() -> Vec<String> {
        let mut names = Vec::new();
        collect(&EMBEDDED, &mut names);
        names.sort();
        names
    }
}

fn name_of(declaration: &GlobalDeclaration) -> Option<String> {
    let name = match declaration {
        GlobalDeclaration::Declaration(variable) => &variable.ident,
        GlobalDeclaration::TypeAlias(alias) => &alias.ident,
        GlobalDeclaration::Struct(of) => &of.ident,
        GlobalDeclaration::Function(function) => &function.ident,
        GlobalDeclaration::Void | GlobalDeclaration::ConstAssert(_) => return None,
    };
    Some(name.to_string())
}

fn collect(dir: &Dir, names: &mut Vec<String>) {
    for file in dir.files() {
        let path = file.path().to_string_lossy();
        if let Some(name) = path.strip_suffix(".wesl") {
            names.push(name.to_owned());
        }
    }
    for dir in dir.dirs() {
        collect(dir, names);
    }
}

#[derive(Default)]
struct Read {
    files: Texts,
    /// The first file that cannot be read or compiled, and the reason.
    unfit: Option<(String, String)>,
}

impl Read {
    /// Adds a file. The error is the reason why the file cannot be compiled.
    fn take(&mut self, module: &str, text: Result<String>) -> Result<String, String> {
        let text = text.map_err(|error| error.message)?;
        self.files.insert(module.to_owned(), text.clone());
        // wesl loops forever on circular re-exports.
        let own = embedded(module).unwrap_or_default();
        if text != own && !published(&text).eq(published(own)) {
            return Err("its `@publish import` lines differ from the program's".to_owned());
        }
        Ok(text)
    }
}

/// Re-exports of a file: the words of its `@publish import`.
fn published(text: &str) -> impl Iterator<Item = &str> {
    let statements = text.split("@publish").skip(1);
    statements.flat_map(|from| {
        let end = from.find(';').unwrap_or(from.len());
        from[..end].split_whitespace()
    })
}

struct ModuleResolver<'a> {
    source: &'a ShaderSource,
    constants: String,
    read: &'a RefCell<Read>,
}

impl Resolver for ModuleResolver<'_> {
    fn resolve_source<'a>(&'a self, path: &ModulePath) -> Result<Cow<'a, str>, wesl::ResolveError> {
        if path.components == ["variant"] {
            return Ok(Cow::Borrowed(&self.constants));
        }
        let module = path.components.join("/");
        let missing = self.source.is_missing(&module);
        let text = self.source.file(&module);
        let mut read = self.read.borrow_mut();
        read.take(&module, text).map(Cow::Owned).map_err(|reason| {
            // The caller reports a missing module as a fault of the importing file.
            if !missing {
                read.unfit.get_or_insert((module, reason.clone()));
            }
            wesl::ResolveError::ModuleNotFound(path.clone(), reason)
        })
    }

    fn display_name(&self, path: &ModulePath) -> Option<String> {
        Some(format!("shaders/{}.wesl", path.components.join("/")))
    }
}

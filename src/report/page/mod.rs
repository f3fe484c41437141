//! Pages to share, each a self-contained HTML file. [`capture`] makes the page of a comparison set, and [`bench`] the
//! page of a benchmark run. A page is written front to back: head, data blocks, drawings, and finally the script. A
//! truncated file therefore still shows a sentence. The texts are in `assets/page/`.

pub mod bench;
pub mod capture;
pub mod packed;

use std::io::{self, Read, Write};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::report::drawing::escaped;

/// File name of the page in a run's folder.
pub const FILE: &str = "index.html";

const PROGRAM: &str = concat!("wavelerp ", env!("CARGO_PKG_VERSION"));

const SHELL: &str = include_str!("../../../assets/page/page.html");
const STYLE: &str = include_str!("../../../assets/page/page.css");
const COMMON: &str = include_str!("../../../assets/page/page.js");

const BENCH: [&str; 2] = [COMMON, include_str!("../../../assets/page/bench.js")];
const CAPTURE: [&str; 3] = [
    COMMON,
    include_str!("../../../assets/page/difference.js"),
    include_str!("../../../assets/page/capture.js"),
];

pub struct Page<'a> {
    out: &'a mut dyn Write,
    script: String,
}

impl<'a> Page<'a> {
    /// Writes the head. Its policy allows the page's own scripts and style, identified by hash, and inline pictures.
    pub fn begin(out: &'a mut dyn Write, scripts: &[&str], title: &str) -> io::Result<Self> {
        let script = scripts.concat();
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; form-action 'none'",
            hash(&script),
            hash(STYLE)
        );
        let parts = [
            ("%POLICY%", policy),
            ("%PROGRAM%", PROGRAM.to_owned()),
            ("%TITLE%", escaped(title)),
            ("%STYLE%", STYLE.to_owned()),
        ];
        let mut rest = SHELL;
        for (name, text) in parts {
            let (before, after) = rest.split_once(name).unwrap_or((rest, ""));
            write!(out, "{before}{text}")?;
            rest = after;
        }
        out.write_all(rest.as_bytes())?;
        Ok(Self { out, script })
    }

    /// Adds a data block. Browsers neither run nor display a script of this type.
    pub fn block(&mut self, id: &str, bytes: &mut dyn Read) -> io::Result<()> {
        write!(
            self.out,
            "<script type=\"application/octet-stream\" id=\"{id}\">"
        )?;
        let mut encoder = base64::write::EncoderWriter::new(&mut *self.out, &BASE64);
        io::copy(bytes, &mut encoder)?;
        encoder.finish()?;
        drop(encoder);
        self.out.write_all(b"</script>\n")
    }

    /// Adds a drawing, which is SVG made by this program.
    pub fn drawing(&mut self, id: &str, svg: &str) -> io::Result<()> {
        writeln!(self.out, "<template id=\"{id}\">{svg}</template>")
    }

    pub fn end(self, data: &impl Serialize) -> io::Result<()> {
        // Only this character can end the block or begin a comment in a script.
        let json = serde_json::to_string(data)?.replace('<', "\\u003c");
        writeln!(
            self.out,
            "<script type=\"application/json\" id=\"data\">{json}</script>"
        )?;
        write!(
            self.out,
            "<script>{}</script>\n</body>\n</html>\n",
            self.script
        )
    }
}

/// Source expression for a content security policy that allows exactly the given text.
fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64.encode(Sha256::digest(text)))
}

//! Makes the folder of the page from the compiled program, and serves it: `cargo xtask web` runs this program.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;
use tiny_http::{Header, Response, Server};
use wasm_bindgen_cli_support::Bindgen;

/// Make the page of the program from its wasm, and serve it
#[derive(Parser)]
struct Web {
    /// The program, compiled for wasm32-unknown-unknown
    #[arg(long)]
    wasm: Option<PathBuf>,
    /// Root of the checkout, which has the page's own files
    #[arg(long)]
    root: PathBuf,
    /// Folder of the page
    #[arg(long)]
    page: PathBuf,
    /// Serve the page on this port of this computer; 0 takes a free one
    #[arg(long)]
    serve: Option<u16>,
}

/// Files of the page besides the program, each with its place in the checkout.
const FILES: [(&str, &str); 4] = [
    ("index.html", "assets/web/index.html"),
    ("start.js", "assets/web/start.js"),
    ("icon.png", "assets/icon.png"),
    ("scenes/statue.spz", "assets/scenes/statue.spz"),
];

fn main() -> Result<(), Box<dyn Error>> {
    let web = Web::parse();
    if let Some(wasm) = &web.wasm {
        make(wasm, &web)?;
    }
    web.serve.map_or(Ok(()), |port| serve(&web.page, port))
}

fn make(wasm: &Path, web: &Web) -> Result<(), Box<dyn Error>> {
    let (root, page) = (&web.root, &web.page);
    let mut bindgen = Bindgen::new();
    bindgen.input_path(wasm).web(true)?.typescript(false);
    // Without this, the page's script would not find the program by itself.
    bindgen.omit_default_module_path(false);
    bindgen
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen.generate(page)?;
    let program = page.join("wavelerp_bg.wasm");
    let length = fs::metadata(&program)?.len();
    for (name, from) in FILES {
        let to = page.join(name);
        fs::create_dir_all(to.parent().unwrap_or(page))?;
        let bytes = fs::read(root.join(from)).map_err(|error| format!("{from}: {error}"))?;
        fs::write(to, bytes)?;
    }
    let start = page.join("start.js");
    let text = fs::read_to_string(&start)?;
    fs::write(start, text.replace("LENGTH", &length.to_string()))?;
    Ok(())
}

/// Serves the folder to this computer until the program is stopped. Prints the address as the first line.
fn serve(page: &Path, port: u16) -> Result<(), Box<dyn Error>> {
    let server =
        Server::http(("127.0.0.1", port)).map_err(|error| format!("port {port}: {error}"))?;
    println!("http://{}/", server.server_addr());
    std::io::stdout().flush()?;
    for request in server.incoming_requests() {
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        let name = path.trim_start_matches('/');
        let name = if name.is_empty() { "index.html" } else { name };
        let is_inside = name.split('/').all(|part| part != "..");
        let bytes = fs::read(page.join(name)).ok().filter(|_| is_inside);
        // A browser that leaves before the end is no error of the server.
        let _ = match bytes {
            Some(bytes) => {
                let header = format!("Content-Type: {}", kind(name)).parse::<Header>();
                let header = header.map_err(|()| "a header is not valid")?;
                request.respond(Response::from_data(bytes).with_header(header))
            }
            None => request.respond(Response::from_string("not found").with_status_code(404)),
        };
    }
    Ok(())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("wasm") => "application/wasm",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

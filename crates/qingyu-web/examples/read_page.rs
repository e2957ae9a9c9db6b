//! Reads the pages at the addresses on the command line, and prints their titles and texts.
//!
//! `cargo run -p qingyu-web --example read_page -- https://example.com/`

use qingyu_web::{Web, WebSettings};

#[tokio::main]
async fn main() -> Result<(), qingyu_web::Error> {
    let web = Web::new(&WebSettings::default())?;
    for url in std::env::args().skip(1) {
        match web.reader.read(&url).await {
            Ok(page) => {
                println!(
                    "# {}\n{} · {} bytes · {} ms\n\n{}\n",
                    page.title, page.url, page.bytes, page.millis, page.text
                );
            }
            Err(error) => eprintln!("{url}: {error} ({})", error.code()),
        }
    }
    Ok(())
}

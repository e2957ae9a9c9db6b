//! Serves a story file to any MCP client over standard input and output: `mcp_stdio STORY.json [read|write|admin]
//! [zh|en]`. Every change is written to the file.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, bail};
use qingyu_server::mcp::prompts::{Prompt, PromptParameter};
use qingyu_server::mcp::{McpService, serve_stdio};
use qingyu_story::Language;
use qingyu_tools::texts::Text;
use qingyu_tools::{Engine, MemoryWorkspace, Permission, ToolCaller, Toolbox, workspace};
use tokio_util::sync::CancellationToken;

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_max_level(tracing::Level::WARN).init();
    let mut arguments = std::env::args().skip(1);
    let file: PathBuf = arguments.next().context("which story file?")?.into();
    let allowance = match arguments.next().as_deref() {
        None | Some("write") => Permission::Write,
        Some("read") => Permission::Read,
        Some("admin") => Permission::Admin,
        Some(other) => bail!("'{other}' is neither read, write nor admin"),
    };
    let language = if arguments.next().as_deref() == Some("en") { Language::En } else { Language::Zh };
    let projects = workspace::only(MemoryWorkspace::open(&file)?);
    let engine = Arc::new(Engine::new(Toolbox::writing().with_projects(), projects));
    let caller = ToolCaller { language, ..ToolCaller::new("mcp", allowance) };
    let server = McpService::new(engine, caller).with_prompts(prompts());
    serve_stdio(server, CancellationToken::new()).await?;
    Ok(())
}

fn prompts() -> Vec<(Prompt, Text)> {
    let both = |zh: &str, en: &str| Text { zh: zh.into(), en: en.into() };
    let name = PromptParameter { name: "name".into(), description: both("角色名", "Whose"), is_needed: true };
    let prompt = Prompt {
        name: "arc".into(),
        title: both("人物弧线", "Arc of a character"),
        description: both("为一个角色设计变化", "Designs how a character changes"),
        arguments: vec![name],
    };
    let text = both("先读角色卡，再为{name}设计一条弧线。", "Read the card first, then design an arc for {name}.");
    vec![(prompt, text)]
}

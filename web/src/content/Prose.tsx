import { type Block, blocksOf, type Words } from "./markdown";
import styles from "./Prose.module.css";

/** A text in Markdown as people read it. */
export function Prose({ text }: { text: string }) {
  return (
    <div className={styles.prose}>
      {blocksOf(text).map((block, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no names, and the text is drawn as a whole
        <Drawn key={place} block={block} />
      ))}
    </div>
  );
}

function Drawn({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading": {
      const Heading = block.level <= 1 ? "h3" : block.level === 2 ? "h4" : "h5";
      return (
        <Heading>
          <Line words={block.words} />
        </Heading>
      );
    }
    case "list": {
      const List = block.isOrdered ? "ol" : "ul";
      return (
        <List start={block.isOrdered ? block.first : undefined}>
          {block.items.map((item, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no names
            <li key={place} style={{ marginLeft: `${item.depth * 1.5}em` }}>
              <Line words={item.words} />
            </li>
          ))}
        </List>
      );
    }
    case "code":
      return <pre>{block.text}</pre>;
    case "rule":
      return <hr />;
    default: {
      const Holder = block.kind === "quote" ? "blockquote" : "p";
      return (
        <Holder>
          {block.lines.map((words, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no names
            <span key={place}>
              {place > 0 && <br />}
              <Line words={words} />
            </span>
          ))}
        </Holder>
      );
    }
  }
}

function Line({ words }: { words: readonly Words[] }) {
  return words.map((stretch, place) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no names
    stretch.isStrong ? <strong key={place}>{stretch.text}</strong> : stretch.text,
  );
}

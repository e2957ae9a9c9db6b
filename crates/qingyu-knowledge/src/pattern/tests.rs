mod cypher;
mod search;
mod syntax;

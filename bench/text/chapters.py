"""Writes the chapters of books in git repositories as text files: chapters.py OUT REPO:PATTERN...

PATTERN picks the files that are chapters; XHTML and HTML are reduced to their paragraphs, a line each.
"""
import html, os, re, subprocess, sys
out = sys.argv[1]
for spec in sys.argv[2:]:
    repo, pattern = spec.rsplit(":", 1)
    git = lambda *a: subprocess.run(["git", "-C", repo, "-c", "core.quotepath=off", *a], capture_output=True, check=True).stdout.decode("utf-8", "replace")
    name = os.path.basename(os.path.dirname(repo.rstrip("/"))) or "book"
    book = os.path.join(out, name); os.makedirs(book, exist_ok=True)
    natural = lambda path: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", path)]
    count = 0
    for path in sorted((p for p in git("ls-tree", "-r", "--name-only", "HEAD").splitlines() if re.search(pattern, p)), key=natural):
        text = git("show", f"HEAD:{path}")
        text = re.sub(r"(?s)<(head|header|h\d|title|nav)\b.*?</\1>", "", text)
        text = re.sub(r"(?m)^#+ .*$|^-{3,}$", "", text)
        if "<p" in text:
            text = re.sub(r"\s*\n\s*", " ", text)
            text = re.sub(r"</p>|<br ?/?>|</li>|</div>", "\n", text)
        text = html.unescape(re.sub(r"<[^>]+>", "", text))
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        if sum(map(len, lines)) > 400:
            count += 1
            with open(os.path.join(book, f"{count:04}.txt"), "w") as file: file.write("\n".join(lines))
    print(book, count)

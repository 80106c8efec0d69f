import escapeHtml from 'escape-html';

/** Returns the HTML page that Express and serve-static send for an error or a redirect. §7.1, §2.11 */
export function htmlPage(title: string, content: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
</head>
<body>
<pre>${content}</pre>
</body>
</html>
`;
}

/** Escapes a text for a page. Keeps its line breaks and indentation. */
export function toHtml(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>').replaceAll('  ', ' &nbsp;');
}

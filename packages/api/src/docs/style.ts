/** The page's inline style; it loads nothing. */
export const docsStyle = `
:root { --ink: #1b2430; --soft: #5a6675; --line: #dde3ea; --paper: #ffffff; --shade: #f5f7fa; --accent: #0b6e4f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ef; --soft: #9aa7b5; --line: #2c3642; --paper: #12171d; --shade: #1a212a; --accent: #5fd0a5; }
}
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 16rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper);
  font: 16px/1.6 system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; background: var(--shade);
  border-right: 1px solid var(--line); font-size: .875rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav li { margin: .2rem 0; }
nav a { color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover, nav a:focus-visible { color: var(--accent); text-decoration: underline; }
.brand { margin: 0 0 1rem; font-size: 1.1rem; font-weight: 700; }
.tag { margin: 1rem 0 .25rem; color: var(--soft); font-size: .75rem; font-weight: 600; letter-spacing: .06em;
  text-transform: uppercase; }
main { max-width: 60rem; padding: 2rem 2.5rem 6rem; }
h1 { margin-top: 0; font-size: 2rem; line-height: 1.2; }
h1 small { color: var(--soft); font-weight: 400; }
h2 { margin: 3rem 0 0; padding-bottom: .3rem; border-bottom: 1px solid var(--line); }
h3 { margin: 2rem 0 .5rem; scroll-margin-top: 1rem; font-size: 1.1rem; overflow-wrap: anywhere; }
section { scroll-margin-top: 1rem; }
a { color: var(--accent); }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
p code, td code, li code { padding: .1em .3em; border-radius: .25rem; background: var(--shade); }
pre { margin: .75rem 0; padding: 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .5rem;
  background: var(--shade); }
pre code { padding: 0; }
.method { padding: .15em .5em; border-radius: .25rem; background: var(--accent); color: var(--paper);
  font-size: .75rem; letter-spacing: .04em; }
.permission { color: var(--soft); font-size: .875rem; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; }
small { color: var(--soft); }
summary { margin-top: 1rem; cursor: pointer; color: var(--accent); }
.errors { padding-left: 1.2rem; }
@media (max-width: 50rem) {
  body { display: block; }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding: 1.5rem 1.25rem 4rem; }
}
`;

// A value as indented JSON, with keys set apart from values.

export function Json({ value }: { value: unknown }) {
  const lines = (JSON.stringify(value, null, 2) ?? "null").split("\n");
  if (lines.length === 1) return <pre>{lines[0]}</pre>;
  return (
    <pre>
      {lines.map((line, index) => {
        const [, indent = "", key, rest = ""] = /^(\s*)("(?:[^"\\]|\\.)*":)?(.*)$/.exec(line) ?? [];
        return (
          // Lines of one value never move, so their place is their identity.
          <span key={index}>
            {indent}
            {key && <span className="json-key">{key}</span>}
            {rest}
            {"\n"}
          </span>
        );
      })}
    </pre>
  );
}

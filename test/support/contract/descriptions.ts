type Node = { [key: string]: unknown };

/** The schemas that an OpenAPI document has for a field of an endpoint's answer; none when it does not describe it. */
export function descriptionsAt(document: object, path: string, field: string): Node[] {
  const operation = at(document, ['paths', path, 'get', 'responses', '200', 'content', 'application/json', 'schema']);
  const steps = field.replace('?', '').split('.');
  return steps.reduce<Node[]>(
    (schemas, step) => {
      const name = step.replace('[]', '');
      const next = schemas.flatMap((schema) => variants(document, schema)).flatMap((schema) => fieldOf(schema, name));
      if (!step.endsWith('[]')) return next;
      return next
        .flatMap((schema) => variants(document, schema))
        .flatMap(({ items }) => (items ? [items as Node] : []));
    },
    operation ? [operation] : [],
  );
}

function fieldOf({ properties, additionalProperties }: Node, name: string): Node[] {
  const named = (properties as Node | undefined)?.[name];
  if (named) return [named as Node];
  return typeof additionalProperties === 'object' && additionalProperties ? [additionalProperties as Node] : [];
}

/** The schema itself, what it refers to, and what it may be instead. */
function variants(document: object, schema: Node): Node[] {
  const { $ref, anyOf, allOf, oneOf } = schema;
  if (typeof $ref === 'string') {
    const target = at(document, $ref.slice(2).split('/'));
    return target ? variants(document, target) : [];
  }
  const others = [anyOf, allOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as Node[]) : []));
  return [schema, ...others.flatMap((other) => variants(document, other))];
}

function at(document: object, path: string[]): Node | undefined {
  return path.reduce<unknown>((node, key) => (node as Node | undefined)?.[key], document) as Node | undefined;
}

import { ext, openApiDocument, routes } from '../src/index.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query';
}

/** Every endpoint of every table, by its full path, with its parameters as the OpenAPI documents describe them. */
export const allPaths = [
  ...pathsOf('/v1', openApiDocument(routes)),
  ...pathsOf(ext.basePath, openApiDocument(ext.routes, ext)),
];

function pathsOf(base: string, document: object): [string, Parameter[]][] {
  const { paths } = JSON.parse(JSON.stringify(document)) as {
    paths: { [path: string]: { get: { parameters?: Parameter[] } } };
  };
  return Object.entries(paths).map(([path, { get }]) => [`${base}${path}`, get.parameters ?? []]);
}

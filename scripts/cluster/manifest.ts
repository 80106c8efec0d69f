/** Checks examples/cluster/kubernetes.yaml against the schemas of Kubernetes, as the package kubernetes-models has them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';
import { EXAMPLE } from './children';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Readonly<Record<string, unknown>>;
}

type Model = new (manifest: Manifest) => { validate(): void };

/** @returns Whether each document is valid, and would not be with a wrong `spec`. */
export async function isManifestValid(): Promise<boolean> {
  const documents = parseAllDocuments(readFileSync(join(EXAMPLE, 'kubernetes.yaml'), 'utf8'));
  let isValid = true;
  for (const manifest of documents.map((document) => document.toJS() as Manifest)) {
    const problem = await problemOf(manifest);
    if (problem) console.log(`kubernetes.yaml: ${manifest.kind}: ${problem}`);
    const isChecked =
      (await problemOf({ ...manifest, spec: { ports: 'none', selector: 'none' } })) !== undefined;
    if (!isChecked) console.log(`kubernetes.yaml: ${manifest.kind}: a wrong spec is not noticed`);
    if (problem || !isChecked) isValid = false;
  }
  console.log(`manifest: ${documents.length} documents of kubernetes.yaml checked`);
  return isValid;
}

async function problemOf(manifest: Manifest): Promise<string | undefined> {
  const { apiVersion, kind } = manifest;
  const file = join(__dirname, 'node_modules', 'kubernetes-models', apiVersion, 'index.js');
  const module = await import(pathToFileURL(file).href);
  const Kind: Model = module[kind];
  try {
    new Kind(manifest).validate();
    return undefined;
  } catch (err) {
    return (err as Error).message;
  }
}

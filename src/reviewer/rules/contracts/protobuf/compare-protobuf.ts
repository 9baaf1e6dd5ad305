import type { ChangedFile } from '../../../change/change.ts';
import { versionsOf } from '../compare-definitions.ts';
import type { ComparedContracts } from '../compared.ts';
import { compareProtos } from './compare-protos.ts';
import { type ProtoDefinition, ProtoFault, readProto } from './read-proto.ts';

/** Compares the messages, enums and services in the changed `.proto` files. */
export async function compareProtobuf(
  files: readonly ChangedFile[],
  signal: AbortSignal,
): Promise<ComparedContracts> {
  const read = (path: string, text: string): Map<string, ProtoDefinition> => readProto(path, text);
  const faultOf = (error: unknown) => (error instanceof ProtoFault ? error.message : undefined);
  return versionsOf(files, { kind: 'protobuf', read, faultOf, compare: compareProtos }, signal);
}

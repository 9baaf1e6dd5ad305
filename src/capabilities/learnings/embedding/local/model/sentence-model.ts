import { readFileSync } from 'node:fs';
import { FLOAT_BYTES } from '../../vectors/matrix-kernel.ts';
import { normaliseVector } from '../../vectors/normalise-vector.ts';
import { type Dense, ModelMemory, roundUp } from './model-memory.ts';
import { gelu, normaliseRows, type RowNormalisation } from './row-functions.ts';
import { halfToFloat, Safetensors } from './safetensors.ts';
import { Attention } from './self-attention.ts';
import { WordPieceTokenizer } from './wordpiece.ts';

/** The paths of a model's files, and the size of its text window. */
export interface SentenceModelFiles {
  readonly weightsPath: string;
  readonly tokenizerPath: string;
  readonly configPath: string;
  readonly maxTokens: number;
}

interface ModelConfig {
  readonly hidden_size: number;
  readonly intermediate_size: number;
  readonly num_attention_heads: number;
  readonly num_hidden_layers: number;
  readonly layer_norm_eps: number;
}

interface Layer {
  readonly query: Dense;
  readonly key: Dense;
  readonly value: Dense;
  readonly attended: Dense;
  readonly attendedNorm: RowNormalisation;
  readonly widened: Dense;
  readonly narrowed: Dense;
  readonly narrowedNorm: RowNormalisation;
}

/** Texts as the ids of their tokens. */
type Encoded = readonly (readonly number[])[];

/**
 * A BERT sentence encoder with mean pooling (such as all-MiniLM-L6-v2) on one thread. The texts of a call share one
 * matrix, without padding between them; only attention treats each text separately.
 */
export class SentenceModel {
  readonly #config: ModelConfig;
  readonly #tokenizer: WordPieceTokenizer;
  readonly #maxTokens: number;
  readonly #memory = new ModelMemory();
  readonly #words: Uint16Array;
  readonly #positions: Float32Array;
  readonly #embeddingNorm: RowNormalisation;
  readonly #layers: readonly Layer[];
  readonly #weightsEnd: number;

  constructor(files: SentenceModelFiles) {
    this.#config = JSON.parse(readFileSync(files.configPath, 'utf8'));
    this.#maxTokens = files.maxTokens;
    const { model } = JSON.parse(readFileSync(files.tokenizerPath, 'utf8'));
    this.#tokenizer = new WordPieceTokenizer(model.vocab);
    const tensors = new Safetensors(files.weightsPath);
    this.#words = tensors.halves('embeddings.word_embeddings.weight');
    // Every text has the first token type, so its vector is added to all positions once.
    const typeVector = tensors.floats('embeddings.token_type_embeddings.weight');
    const size = this.#config.hidden_size;
    this.#positions = tensors
      .floats('embeddings.position_embeddings.weight')
      .map((value, index) => value + typeVector[index % size]!);
    this.#embeddingNorm = normalisation(tensors, 'embeddings.LayerNorm');
    this.#layers = Array.from({ length: this.#config.num_hidden_layers }, (_, index) =>
      this.#readLayer(tensors, `encoder.layer.${index}`),
    );
    tensors.close();
    this.#weightsEnd = this.#memory.mark;
  }

  /** One normalised vector per text. */
  embed(texts: readonly string[]): Float32Array[] {
    if (texts.length === 0) return [];
    const encoded = texts.map((text) => this.#tokenizer.encode(text, this.#maxTokens));
    const rows = encoded.reduce((sum, ids) => sum + ids.length, 0);
    const { hidden_size: size, intermediate_size: wideSize, num_attention_heads: heads } = this.#config;
    const memory = this.#memory;
    memory.resetTo(this.#weightsEnd);
    const [hidden, query, key, value, mixed] = Array.from({ length: 5 }, () => memory.takeMatrix(rows, size));
    const wide = memory.takeMatrix(rows, wideSize);
    const spread = memory.takeSpreadMatrix(rows, wideSize);
    const attention = new Attention(memory, size, heads, Math.max(...encoded.map((ids) => ids.length)));
    const spreadOf = (source: number, columns: number) => {
      memory.kernel.spread(source, spread, roundUp(rows * columns, 4));
      return spread;
    };

    this.#lookUp(encoded, memory.view(hidden!, rows * size));
    for (const layer of this.#layers) {
      spreadOf(hidden!, size);
      memory.apply(layer.query, spread, query!, rows);
      memory.apply(layer.key, spread, key!, rows);
      memory.apply(layer.value, spread, value!, rows);
      const matrices = { spreadQuery: spreadOf(query!, size), key: key!, value: value!, mixed: mixed! };
      let first = 0;
      for (const { length } of encoded) {
        attention.attend(matrices, first, length);
        first += length;
      }
      memory.apply(layer.attended, spreadOf(mixed!, size), query!, rows);
      this.#addAndNormalise(hidden!, query!, rows, layer.attendedNorm);
      memory.apply(layer.widened, spreadOf(hidden!, size), wide, rows);
      gelu(memory.view(wide, rows * wideSize));
      memory.apply(layer.narrowed, spreadOf(wide, wideSize), query!, rows);
      this.#addAndNormalise(hidden!, query!, rows, layer.narrowedNorm);
    }
    return this.#pool(encoded, hidden!);
  }

  #readLayer(tensors: Safetensors, name: string): Layer {
    const { hidden_size: size, intermediate_size: wide } = this.#config;
    const dense = (part: string, inputs = size) => {
      const weights = tensors.halves(`${name}.${part}.weight`);
      return this.#memory.storeDense(weights, tensors.floats(`${name}.${part}.bias`), inputs);
    };
    return {
      query: dense('attention.self.query'),
      key: dense('attention.self.key'),
      value: dense('attention.self.value'),
      attended: dense('attention.output.dense'),
      attendedNorm: normalisation(tensors, `${name}.attention.output.LayerNorm`),
      widened: dense('intermediate.dense'),
      narrowed: dense('output.dense', wide),
      narrowedNorm: normalisation(tensors, `${name}.output.LayerNorm`),
    };
  }

  #lookUp(encoded: Encoded, target: Float32Array): void {
    const size = this.#config.hidden_size;
    let next = 0;
    for (const ids of encoded) {
      for (const [position, id] of ids.entries()) {
        for (let index = 0; index < size; index += 1) {
          const word = halfToFloat[this.#words[id * size + index]!]!;
          target[next++] = word + this.#positions[position * size + index]!;
        }
      }
    }
    normaliseRows(target, size, this.#embeddingNorm, this.#config.layer_norm_eps);
  }

  #addAndNormalise(hidden: number, addend: number, rows: number, norm: RowNormalisation): void {
    const size = this.#config.hidden_size;
    const target = this.#memory.view(hidden, rows * size);
    const added = this.#memory.view(addend, rows * size);
    for (let index = 0; index < target.length; index += 1) target[index]! += added[index]!;
    normaliseRows(target, size, norm, this.#config.layer_norm_eps);
  }

  #pool(encoded: Encoded, hidden: number): Float32Array[] {
    const size = this.#config.hidden_size;
    const { floats } = this.#memory;
    let next = hidden / FLOAT_BYTES;
    return encoded.map(({ length }) => {
      const mean = new Float32Array(size);
      for (let row = 0; row < length; row += 1) {
        for (let index = 0; index < size; index += 1) mean[index]! += floats[next++]!;
      }
      return normaliseVector(mean)!;
    });
  }
}

function normalisation(tensors: Safetensors, name: string): RowNormalisation {
  return { scale: tensors.floats(`${name}.weight`), shift: tensors.floats(`${name}.bias`) };
}

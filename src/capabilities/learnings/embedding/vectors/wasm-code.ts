/** A function with 32-bit parameters and the code of its body; the locals besides the parameters are counted by type. */
export interface WasmFunction {
  readonly name: string;
  readonly parameters: number;
  readonly integerLocals: number;
  readonly vectorLocals: number;
  readonly code: readonly number[];
}

const I32 = 0x7f;
const V128 = 0x7b;

export const local = {
  get: (index: number) => [0x20, ...unsigned(index)],
  set: (index: number) => [0x21, ...unsigned(index)],
  /** Sets it and leaves the value on the stack. */
  tee: (index: number) => [0x22, ...unsigned(index)],
};

export const i32 = {
  const: (value: number) => [0x41, ...signed(value)],
  add: [0x6a],
  subtract: [0x6b],
  multiply: [0x6c],
  shiftRight: [0x76],
};

/** Vectors of four floats; the alignment that loads and stores promise is that of one float. */
export const f32x4 = {
  load: (offset: number) => [...vector(0x00), 2, ...unsigned(offset)],
  /** Loads one float into all four lanes. */
  loadSplat: (offset: number) => [...vector(0x09), 2, ...unsigned(offset)],
  store: (offset: number) => [...vector(0x0b), 2, ...unsigned(offset)],
  /** a · b + c, in one instruction where the CPU has one ("relaxed SIMD"). */
  multiplyAdd: vector(0x105),
};

/** Adds the value that the code leaves on the stack to a local. */
export function advance(index: number, ...by: number[]): number[] {
  return [...local.get(index), ...by, ...i32.add, ...local.set(index)];
}

/** Runs the body as often as the local says, at least once, counting it down to zero. */
export function repeat(counter: number, ...body: number[][]): number[] {
  const countDown = [...local.get(counter), ...i32.const(1), ...i32.subtract, ...local.tee(counter)];
  return [0x03, 0x40, ...body.flat(), ...countDown, 0x0d, 0x00, 0x0b];
}

/** Compiles functions that operate on the given memory. */
export function compile(
  memory: WebAssembly.Memory,
  functions: readonly WasmFunction[],
): Record<string, unknown> {
  const types = functions.map(({ parameters }) => [0x60, ...list(Array(parameters).fill([I32])), 0]);
  const names = functions.map((one, index) => [...name(one.name), 0x00, index]);
  const bodies = functions.map(({ integerLocals, vectorLocals, code }) => {
    const body = [2, ...unsigned(integerLocals), I32, ...unsigned(vectorLocals), V128, ...code, 0x0b];
    return [...unsigned(body.length), ...body];
  });
  const bytes = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list(types)),
    ...section(2, list([[...name('host'), ...name('memory'), 0x02, 0x00, 0x01]])),
    ...section(3, list(functions.map((_, index) => [index]))),
    ...section(7, list(names)),
    ...section(10, list(bodies)),
  ]);
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), { host: { memory } }).exports;
}

function vector(opcode: number): number[] {
  return [0xfd, ...unsigned(opcode)];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()];
}

function name(text: string): number[] {
  return [text.length, ...Buffer.from(text)];
}

/** LEB128, the variable-length form of numbers in WebAssembly. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...signed(value >> 7)];
}

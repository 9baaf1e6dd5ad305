import assert from 'node:assert/strict';
import { test } from 'node:test';
import { palettes } from './palette.ts';

type Triple = readonly [number, number, number];
type Matrix = readonly [Triple, Triple, Triple];

/** How linear RGB is perceived with each kind of color vision: Machado, Oliveira and Fernandes (2009), at full severity. */
const visions = {
  'full color vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} satisfies Record<string, Matrix>;

/** Linear RGB to the cones of OKLab, and their cube roots to OKLab (Ottosson 2020). */
const toCones: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const toLab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

function multiply(matrix: Matrix, [x, y, z]: Triple): Triple {
  const [first, second, third] = matrix.map(([a, b, c]) => a * x + b * y + c * z);
  return [first!, second!, third!];
}

const mapTriple = ([x, y, z]: Triple, map: (value: number) => number): Triple => [map(x), map(y), map(z)];

function linear(hex: string): Triple {
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(hex)!.map((part) => Number.parseInt(part, 16) / 255);
  return mapTriple([red!, green!, blue!], (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
}

/** How different two colors look; about 0.02 can just be told apart side by side. */
function distance(a: string, b: string, vision: Matrix): number {
  const [first, second] = [a, b].map((color) => {
    const seen = mapTriple(multiply(vision, linear(color)), (value) => Math.min(1, Math.max(0, value)));
    return multiply(toLab, mapTriple(multiply(toCones, seen), Math.cbrt));
  });
  return Math.hypot(...first!.map((value, index) => value - second![index]!));
}

function contrast(a: string, b: string): number {
  const [low, high] = [a, b]
    .map((color) => {
      const [red, green, blue] = linear(color);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
    })
    .sort((one, other) => one - other);
  return high! / low!;
}

for (const [scheme, { background, ...colors }] of Object.entries(palettes)) {
  for (const [name, vision] of Object.entries(visions)) {
    test(`the chart colors of the ${scheme} scheme differ clearly with ${name}`, () => {
      const all = Object.entries(colors);
      for (const [index, [first, one]] of all.entries())
        for (const [second, other] of all.slice(index + 1))
          assert.ok(distance(one, other, vision) > 0.12, `${first} and ${second} look alike`);
    });
  }

  test(`the chart colors stand out from the background of the ${scheme} scheme (WCAG 1.4.11)`, () => {
    for (const [name, color] of Object.entries(colors))
      assert.ok(contrast(color, background) >= 3, `${name} is too faint`);
  });
}

test('the simulation tells what color blindness confuses: this red and green look alike without red or green cones', () => {
  const [red, green] = ['#b85c38', '#7a7a29'];
  assert.ok(distance(red, green, visions['full color vision']) > 0.12);
  assert.ok(distance(red, green, visions.deuteranopia) < 0.12);
});

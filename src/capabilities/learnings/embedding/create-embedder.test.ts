import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEmbedder } from './create-embedder.ts';

describe('choosing the embedder', () => {
  it('is the local model without a URL, and nothing is loaded before it is needed', async () => {
    const embedder = createEmbedder({});
    assert.equal(embedder.id, 'local:minilm-l6-v2');
    assert.equal(embedder.dimensions, 384);
    await embedder.close();
  });

  it('is the endpoint with a URL; its id contains the model and the host, never the key', () => {
    const settings = { url: 'https://models.example.test:8443/v1/', model: 'small' };
    const embedder = createEmbedder({ ...settings, apiKey: 'top-secret' });
    assert.equal(embedder.id, 'openai:small@models.example.test:8443/v1');
    assert.equal(embedder.dimensions, undefined);
  });

  it('rejects an endpoint that cannot work, without repeating the settings', () => {
    const invalid = [
      { url: 'https://models.example.test/v1' },
      { url: 'top-secret', model: 'small' },
      { url: 'ftp://top-secret/v1', model: 'small' },
      { url: 'https://user:top-secret@models.example.test', model: 'small' },
      { url: 'https://a.test', model: 'small', apiKey: 'top-secret\n' },
    ];
    for (const settings of invalid) {
      assert.throws(
        () => createEmbedder(settings),
        (error) => error instanceof TypeError && !error.message.includes('top-secret'),
      );
    }
  });
});

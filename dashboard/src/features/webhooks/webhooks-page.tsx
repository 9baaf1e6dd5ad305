import { Stack } from '@mantine/core';
import { LoadMore, usePages } from '../../components/lists/load-more.tsx';
import { Empty, PageTitle, QueryState } from '../../components/query-state.tsx';
import { useView } from '../../lib/session.ts';
import { AddWebhook } from './add-webhook.tsx';
import { WebhookCard } from './webhook-card.tsx';
import { type WebhookPage, webhooksKey } from './wire.ts';

/** The webhooks of an organization, which receive its events. */
export default function WebhooksPage() {
  const view = useView();
  const query = usePages<WebhookPage>(webhooksKey(view.id), 'webhooks', view, {});
  return (
    <>
      <PageTitle title="Webhooks" about="Notify other systems of events with signed requests">
        <AddWebhook view={view} />
      </PageTitle>
      <QueryState query={query}>
        {({ pages }) => {
          const webhooks = pages.flatMap(({ data }) => data);
          if (webhooks.length === 0)
            return (
              <Empty title="No webhooks yet">
                Add one to notify another system of finished reviews, Learnings, security findings and changes
                of members.
              </Empty>
            );
          return (
            <Stack>
              {webhooks.map((webhook) => (
                <WebhookCard key={webhook.id} webhook={webhook} view={view} />
              ))}
              <LoadMore query={query} />
            </Stack>
          );
        }}
      </QueryState>
    </>
  );
}

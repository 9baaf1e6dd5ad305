import { ActionIcon, Button, Combobox, Group, Kbd, Modal, Text, TextInput, useCombobox } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useState } from 'react';
import { SearchIcon } from '../components/icons.tsx';
import { type Found, useFound } from '../features/search/use-found.ts';
import type { Session, View } from '../lib/session.ts';
import { reachablePages } from './pages.tsx';

/** Opens the palette, for people who do not know its keyboard shortcut. */
export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <>
      <Button
        variant="default"
        visibleFrom="md"
        leftSection={<SearchIcon />}
        rightSection={<Kbd>Ctrl K</Kbd>}
        onClick={onClick}
        c="dimmed"
      >
        Search
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="md" aria-label="Search" onClick={onClick}>
        <SearchIcon />
      </ActionIcon>
    </>
  );
}

/** The pages whose label or group contains the typed text; all pages if nothing is typed. */
function findPages(session: Session, view: View | undefined, typed: string): Found[] {
  return reachablePages(session, view)
    .filter(({ label, group }) => `${label} ${group}`.toLowerCase().includes(typed.toLowerCase()))
    .map(({ label, group, url }) => ({ id: url, label, about: group, to: url, search: {} }));
}

interface PaletteProps {
  readonly session: Session;
  readonly view: View | undefined;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A dialog that finds pages, and items on them, by a part of the name. All of it can be used with the keyboard. */
export function CommandPalette(props: PaletteProps) {
  return (
    <Modal.Root opened={props.isOpen} onClose={props.onClose} size="lg" yOffset="10vh">
      <Modal.Overlay />
      <Modal.Content aria-label="Search">
        <Modal.Body p={0}>
          <Palette {...props} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function Palette({ session, view, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const search = typed.trim();
  const { groups, isSearching } = useFound(view, search);
  const all = [{ group: 'Pages', found: findPages(session, view, search) }, ...groups].filter(
    ({ found }) => found.length > 0,
  );
  const combobox = useCombobox({ opened: true, onDropdownClose: onClose });
  const shown = all.flatMap(({ found }) => found.map(({ id }) => id)).join(' ');
  const listId = useId();
  // The option that is selected before an arrow key is pressed, for screen readers; afterwards, the field announces it itself.
  const [first, setFirst] = useState<string | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is found decides what comes first
  useEffect(() => setFirst(combobox.selectFirstOption()), [shown]);
  function choose(id: string) {
    const chosen = all.flatMap(({ found }) => found).find((each) => each.id === id)!;
    onClose();
    void navigate({ to: chosen.to as never, search: chosen.search as never });
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <Combobox.EventsTarget
        withExpandedAttribute
        aria-controls={listId}
        {...(first !== null && { 'aria-activedescendant': first })}
      >
        <TextInput
          data-autofocus
          aria-label="Search pages, pull requests, people, Learnings and findings"
          placeholder="Search pages, pull requests, people, Learnings and findings"
          variant="unstyled"
          size="md"
          px="md"
          leftSection={<SearchIcon />}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={({ key }) => key.startsWith('Arrow') && setFirst(null)}
        />
      </Combobox.EventsTarget>
      <Combobox.Options
        id={listId}
        aria-label="Results"
        mah="50vh"
        p="xs"
        style={{ overflowY: 'auto', borderTop: '1px solid var(--mantine-color-default-border)' }}
      >
        {all.map(({ group, found }) => (
          <Combobox.Group key={group} label={group}>
            {found.map((each) => (
              <Combobox.Option key={each.id} value={each.id} className="palette-option">
                <Line {...each} />
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
        {all.length === 0 && <Combobox.Empty>{isSearching ? 'Searching…' : 'Nothing found'}</Combobox.Empty>}
      </Combobox.Options>
    </Combobox>
  );
}

function Line({ label, about }: Found) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="md">
      <Text size="sm" truncate>
        {label}
      </Text>
      <Text size="xs" c="dimmed" truncate maw="45%">
        {about}
      </Text>
    </Group>
  );
}

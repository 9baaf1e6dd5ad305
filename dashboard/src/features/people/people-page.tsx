import { useView } from '../../lib/session.ts';
import { OrganizationPeople } from './organization-people.tsx';
import { WorkspacePeople } from './workspace-people.tsx';

/** The people of an organization or of a workspace, their seats and roles. */
export default function PeoplePage() {
  const view = useView();
  return view.kind === 'workspace' ? <WorkspacePeople view={view} /> : <OrganizationPeople view={view} />;
}

/** Operations without an example in the API description, with the reason; a test checks that the list is complete. */
export const withoutExample: Readonly<Record<string, string>> = {
  fixReview: 'it needs a review of a pull request, and so a Git host beside the server',
  releaseReview: 'it needs a review of a pull request, and so a Git host beside the server',
  readOpenApi: 'its answer is the API description itself, which would contain itself',
  readConfigurationSchema: 'its answer is a schema, which describes itself and is the same for everybody',
  readScimSchema: 'its answer is a schema, which describes itself and is the same for everybody',
  listScimSchemas: 'its answer is a schema, which describes itself and is the same for everybody',
  listCheckOverrides:
    'they are made on pull requests of a connected Git host, which the scenario does not have',
  listCheckedPullRequests:
    'checks are evaluated on pull requests of a connected Git host, which the scenario does not have',
  readRepositoryChecks:
    'checks are evaluated on pull requests of a connected Git host, which the scenario does not have',
  measureChecks:
    'checks are evaluated on pull requests of a connected Git host, which the scenario does not have',
  listFindings:
    'what is followed is on pull requests of a connected Git host, which the scenario does not have',
  listDependencies:
    'they are read from repositories of a connected Git host, which the scenario does not have',
  listDependencyInventories:
    'they are read from repositories of a connected Git host, which the scenario does not have',
  exportDependencies:
    'they are read from repositories of a connected Git host, which the scenario does not have',
  readProcessMetrics:
    'its answer is hundreds of lines with figures of the process, in the format of Prometheus',
};

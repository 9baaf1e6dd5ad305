-- Queued because results of analyzers arrived: nobody with a seat has asked for such a run. Rows of the former version had none.
ALTER TABLE review_run_work ADD COLUMN for_results boolean NOT NULL DEFAULT false;

import journal from './meta/_journal.json';
import m0000 from './0000_log_and_read_models.sql';
import m0001 from './0001_events_are_immutable.sql';
import m0002 from './0002_conversation_settings.sql';
import m0003 from './0003_events_are_not_replaced.sql';
import m0004 from './0004_workflow_requests.sql';
import m0005 from './0005_outbox_holds_what_is_due.sql';
import m0006 from './0006_scheduled_tasks.sql';

  export default {
    journal,
    migrations: {
      m0000,
m0001,
m0002,
m0003,
m0004,
m0005,
m0006
    }
  }
  
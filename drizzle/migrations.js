import journal from './meta/_journal.json';
import m0000 from './0000_log_and_read_models.sql';
import m0001 from './0001_events_are_immutable.sql';

  export default {
    journal,
    migrations: {
      m0000,
m0001
    }
  }
  